/** Commands that work on a database itself, without a server. */
@NullMarked
package dev.carillon.cli.database;

import org.jspecify.annotations.NullMarked;
