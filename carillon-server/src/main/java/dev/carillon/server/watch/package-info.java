/** Monitoring of a server: metrics, health and the stream of events. */
@NullMarked
package dev.carillon.server.watch;

import org.jspecify.annotations.NullMarked;
