/** The command {@code carillon doctor}, and what it checks. */
@NullMarked
package dev.carillon.cli.doctor;

import org.jspecify.annotations.NullMarked;
