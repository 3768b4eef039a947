/** Real processes on one PostgreSQL, killed, frozen and cut off, and what must hold regardless. */
@NullMarked
package dev.carillon.cluster;

import org.jspecify.annotations.NullMarked;
