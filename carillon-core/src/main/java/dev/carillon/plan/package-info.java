/** What to do now, decided without clock, database or chance. Not part of the public API. */
@NullMarked
package dev.carillon.plan;

import org.jspecify.annotations.NullMarked;
