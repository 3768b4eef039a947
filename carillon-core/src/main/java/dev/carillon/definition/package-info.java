/**
 * The fields of a schedule's definition, each described once: how it is read and written as JSON,
 * in the database as in the REST contract, what its JSON schema says, and how it is compared. No
 * promise is made to users of the library.
 */
@NullMarked
package dev.carillon.definition;

import org.jspecify.annotations.NullMarked;
