/** Tests of the server: handlers as functions, and a few over a socket. */
@NullMarked
package dev.carillon.server;

import org.jspecify.annotations.NullMarked;
