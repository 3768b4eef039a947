/** Which addresses outgoing calls may reach. */
@NullMarked
package dev.carillon.targets.guard;

import org.jspecify.annotations.NullMarked;
