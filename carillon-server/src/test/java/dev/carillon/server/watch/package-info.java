@NullMarked
package dev.carillon.server.watch;

import org.jspecify.annotations.NullMarked;
