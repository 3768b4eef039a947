/** Keys that the secrets of targets are encrypted with, and how. Knows no database. */
@NullMarked
package dev.carillon.server.secret;

import org.jspecify.annotations.NullMarked;
