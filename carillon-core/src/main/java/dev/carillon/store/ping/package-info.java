/** The checks on work that runs elsewhere, and its pings. */
@NullMarked
package dev.carillon.store.ping;

import org.jspecify.annotations.NullMarked;
