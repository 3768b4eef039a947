/** The contract with what runs. */
@NullMarked
package dev.carillon.target;

import org.jspecify.annotations.NullMarked;
