/** Tests of templates. */
@NullMarked
package dev.carillon.template;

import org.jspecify.annotations.NullMarked;
