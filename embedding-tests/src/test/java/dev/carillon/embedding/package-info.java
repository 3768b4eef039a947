/** Carillon inside the frameworks of others, on their pools, and behind their poolers. */
@NullMarked
package dev.carillon.embedding;

import org.jspecify.annotations.NullMarked;
