/** Reading what clients send, strictly: every mistake is found, and told with its place. */
@NullMarked
package dev.carillon.server.read;

import org.jspecify.annotations.NullMarked;
