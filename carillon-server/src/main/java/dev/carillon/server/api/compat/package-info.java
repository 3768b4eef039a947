/** The two REST contracts of other products that this server also answers. */
@NullMarked
package dev.carillon.server.api.compat;

import org.jspecify.annotations.NullMarked;
