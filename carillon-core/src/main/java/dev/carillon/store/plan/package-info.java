/** What planning reads and writes. */
@NullMarked
package dev.carillon.store.plan;

import org.jspecify.annotations.NullMarked;
