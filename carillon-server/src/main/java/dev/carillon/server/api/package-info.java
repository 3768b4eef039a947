/** The routes of the contract: a class for each group, with the forms of what they say. */
@NullMarked
package dev.carillon.server.api;

import org.jspecify.annotations.NullMarked;
