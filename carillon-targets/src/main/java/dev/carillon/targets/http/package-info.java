/** Targets that are called over HTTP. */
@NullMarked
package dev.carillon.targets.http;

import org.jspecify.annotations.NullMarked;
