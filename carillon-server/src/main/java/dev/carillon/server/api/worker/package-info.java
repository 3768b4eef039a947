/** Pull workers over REST: claiming, renewing and completing runs. */
@NullMarked
package dev.carillon.server.api.worker;

import org.jspecify.annotations.NullMarked;
