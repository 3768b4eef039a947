/** The processes that the tests are about, and the journal that is kept beside them. */
@NullMarked
package dev.carillon.resilience.cluster;

import org.jspecify.annotations.NullMarked;
