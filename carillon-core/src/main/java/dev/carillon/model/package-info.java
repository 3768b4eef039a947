/** The nouns of the scheduler, as records. */
@NullMarked
package dev.carillon.model;

import org.jspecify.annotations.NullMarked;
