/** All SQL of the core, grouped by what it stores. Not part of the public API. */
@NullMarked
package dev.carillon.store;

import org.jspecify.annotations.NullMarked;
