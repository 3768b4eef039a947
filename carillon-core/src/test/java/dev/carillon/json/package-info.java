/** Tests of what reads and writes JSON. */
@NullMarked
package dev.carillon.json;

import org.jspecify.annotations.NullMarked;
