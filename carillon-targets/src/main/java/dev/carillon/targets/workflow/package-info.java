/** Launches workflows: finds the stored graph and passes it to an executor. */
@NullMarked
package dev.carillon.targets.workflow;

import org.jspecify.annotations.NullMarked;
