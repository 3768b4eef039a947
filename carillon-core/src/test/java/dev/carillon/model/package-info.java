/** Tests of the nouns. */
@NullMarked
package dev.carillon.model;

import org.jspecify.annotations.NullMarked;
