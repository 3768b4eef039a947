/** Definitions in files: YAML or JSON, with the line of everything in them. */
@NullMarked
package dev.carillon.cli.file;

import org.jspecify.annotations.NullMarked;
