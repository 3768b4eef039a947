/** Who calls, and what they may do: API tokens, JWTs and client certificates. */
@NullMarked
package dev.carillon.server.signin;

import org.jspecify.annotations.NullMarked;
