/**
 * Texts with placeholders such as <code>${slot-1d:yyyy-MM-dd}</code>: parsed, checked and filled
 * in, never evaluated as code. Pure.
 */
@NullMarked
package dev.carillon.template;

import org.jspecify.annotations.NullMarked;
