/** A scheduler whose time is moved by hand, for tests of users and of Carillon itself. */
@NullMarked
package dev.carillon.testing;

import org.jspecify.annotations.NullMarked;
