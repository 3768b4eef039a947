/** Tests of the decisions. */
@NullMarked
package dev.carillon.plan;

import org.jspecify.annotations.NullMarked;
