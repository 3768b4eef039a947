/** The choices users make about a schedule; pure values. */
@NullMarked
package dev.carillon.policy;

import org.jspecify.annotations.NullMarked;
