@NullMarked
package dev.carillon.cli.database;

import org.jspecify.annotations.NullMarked;
