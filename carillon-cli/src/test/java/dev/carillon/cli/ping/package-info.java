@NullMarked
package dev.carillon.cli.ping;

import org.jspecify.annotations.NullMarked;
