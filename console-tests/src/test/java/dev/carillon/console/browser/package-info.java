/** The console in a real browser, against a real server. */
@NullMarked
package dev.carillon.console.browser;

import org.jspecify.annotations.NullMarked;
