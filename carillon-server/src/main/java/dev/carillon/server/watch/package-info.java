/** What those who watch a server see: figures, health and the stream of events. */
@NullMarked
package dev.carillon.server.watch;

import org.jspecify.annotations.NullMarked;
