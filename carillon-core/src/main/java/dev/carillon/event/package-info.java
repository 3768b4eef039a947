/** What happened, published after it is durable. */
@NullMarked
package dev.carillon.event;

import org.jspecify.annotations.NullMarked;
