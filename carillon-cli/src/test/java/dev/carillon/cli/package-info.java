/** Tests of the command line: its words in this process, the whole program in another. */
@NullMarked
package dev.carillon.cli;

import org.jspecify.annotations.NullMarked;
