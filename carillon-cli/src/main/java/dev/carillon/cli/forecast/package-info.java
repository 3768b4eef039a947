/** The commands that look ahead: {@code forecast} and {@code simulate}. */
@NullMarked
package dev.carillon.cli.forecast;

import org.jspecify.annotations.NullMarked;
