/** What every command shares: exit codes, tables, colours, times and questions. */
@NullMarked
package dev.carillon.cli.console;

import org.jspecify.annotations.NullMarked;
