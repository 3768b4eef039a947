/** The commands about work that runs elsewhere and pings. */
@NullMarked
package dev.carillon.cli.ping;

import org.jspecify.annotations.NullMarked;
