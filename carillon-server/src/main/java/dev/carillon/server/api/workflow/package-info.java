/** Workflows over REST: deploying, launching, timeouts of instances. */
@NullMarked
package dev.carillon.server.api.workflow;

import org.jspecify.annotations.NullMarked;
