@NullMarked
package dev.carillon.server.secret;

import org.jspecify.annotations.NullMarked;
