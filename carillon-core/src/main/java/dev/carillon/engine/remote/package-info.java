/**
 * Runs that go on outside of this node: leased by workers, accepted by targets, reported on later.
 */
@NullMarked
package dev.carillon.engine.remote;

import org.jspecify.annotations.NullMarked;
