@NullMarked
package dev.carillon.cli.doctor;

import org.jspecify.annotations.NullMarked;
