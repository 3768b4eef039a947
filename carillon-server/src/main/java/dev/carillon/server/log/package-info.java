/** How a server writes its log. */
@NullMarked
package dev.carillon.server.log;

import org.jspecify.annotations.NullMarked;
