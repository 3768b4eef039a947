/** The commands {@code carillon run …} and {@code carillon dead …}. */
@NullMarked
package dev.carillon.cli.run;

import org.jspecify.annotations.NullMarked;
