/** Why a schedule did or did not run, told from what is recorded. Not part of the public API. */
@NullMarked
package dev.carillon.plan.explain;

import org.jspecify.annotations.NullMarked;
