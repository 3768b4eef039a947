/** The hall: the door through which applications use Carillon. */
@NullMarked
package dev.carillon;

import org.jspecify.annotations.NullMarked;
