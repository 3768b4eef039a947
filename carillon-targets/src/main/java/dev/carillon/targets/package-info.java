/** Targets whose work is not code in this process: HTTP endpoints, workflows, the log. */
@NullMarked
package dev.carillon.targets;

import org.jspecify.annotations.NullMarked;
