/** Hostile clients and endpoints, and the budgets that a server keeps under them. */
@NullMarked
package dev.carillon.resilience.attack;

import org.jspecify.annotations.NullMarked;
