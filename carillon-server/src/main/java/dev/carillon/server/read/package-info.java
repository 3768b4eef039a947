/** Reading what clients send, strictly: every error is found, and reported with its place. */
@NullMarked
package dev.carillon.server.read;

import org.jspecify.annotations.NullMarked;
