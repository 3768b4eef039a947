/** Nodes turned by hand, on a real PostgreSQL. */
@NullMarked
package dev.carillon.engine;

import org.jspecify.annotations.NullMarked;
