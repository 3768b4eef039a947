/** Workflows: how the graph of one gets from where it is stored to whoever executes it. */
@NullMarked
package dev.carillon.targets.workflow;

import org.jspecify.annotations.NullMarked;
