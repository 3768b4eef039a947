@NullMarked
package dev.carillon.cli.file;

import org.jspecify.annotations.NullMarked;
