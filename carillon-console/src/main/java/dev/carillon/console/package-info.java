/** The web console: what browsers load, from the class path. */
@NullMarked
package dev.carillon.console;

import org.jspecify.annotations.NullMarked;
