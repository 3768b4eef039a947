/** Runs: how they are created, found, ended and kept as history. */
@NullMarked
package dev.carillon.store.run;

import org.jspecify.annotations.NullMarked;
