/** Requests, replies and the table of routes between them; HTTP itself is in one class. */
@NullMarked
package dev.carillon.server.web;

import org.jspecify.annotations.NullMarked;
