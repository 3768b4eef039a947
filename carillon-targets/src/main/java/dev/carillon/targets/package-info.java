/** Where runs go when their work is not code in this process: the log, nowhere, HTTP endpoints. */
@NullMarked
package dev.carillon.targets;

import org.jspecify.annotations.NullMarked;
