@NullMarked
package dev.carillon.cli.schedule;

import org.jspecify.annotations.NullMarked;
