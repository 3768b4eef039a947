/** Tests of measuring on figures made up. */
@NullMarked
package dev.carillon.bench;

import org.jspecify.annotations.NullMarked;
