/** The rules between the rooms of the house, and proof that each can fail. */
@NullMarked
package dev.carillon.cli.rooms;

import org.jspecify.annotations.NullMarked;
