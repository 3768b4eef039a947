@NullMarked
package dev.carillon.server.api;

import org.jspecify.annotations.NullMarked;
