/** Tests of the policies. */
@NullMarked
package dev.carillon.policy;

import org.jspecify.annotations.NullMarked;
