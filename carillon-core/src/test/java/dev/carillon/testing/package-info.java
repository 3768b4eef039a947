/** Tests of the tools for tests. */
@NullMarked
package dev.carillon.testing;

import org.jspecify.annotations.NullMarked;
