/** Tests of the hall, against a real PostgreSQL. */
@NullMarked
package dev.carillon;

import org.jspecify.annotations.NullMarked;
