@NullMarked
package dev.carillon.cli.console;

import org.jspecify.annotations.NullMarked;
