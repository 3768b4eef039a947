@NullMarked
package dev.carillon.server.read;

import org.jspecify.annotations.NullMarked;
