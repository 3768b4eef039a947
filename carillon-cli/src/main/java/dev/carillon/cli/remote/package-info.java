/** The way to a server: where it is, who asks, and what it answers. */
@NullMarked
package dev.carillon.cli.remote;

import org.jspecify.annotations.NullMarked;
