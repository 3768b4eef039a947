@NullMarked
package dev.carillon.cli.run;

import org.jspecify.annotations.NullMarked;
