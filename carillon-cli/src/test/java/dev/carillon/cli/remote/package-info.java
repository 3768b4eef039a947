@NullMarked
package dev.carillon.cli.remote;

import org.jspecify.annotations.NullMarked;
