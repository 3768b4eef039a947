/** The scheduler as a server: HTTP in front, a pool of connections behind. */
@NullMarked
package dev.carillon.server;

import org.jspecify.annotations.NullMarked;
