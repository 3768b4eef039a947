@NullMarked
package dev.carillon.server.signin;

import org.jspecify.annotations.NullMarked;
