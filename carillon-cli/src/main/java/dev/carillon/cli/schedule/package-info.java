/** The commands {@code carillon schedule …}. */
@NullMarked
package dev.carillon.cli.schedule;

import org.jspecify.annotations.NullMarked;
