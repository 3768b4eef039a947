/**
 * JSON as plain Java values, since the library brings no JSON library. Not part of the public API.
 */
@NullMarked
package dev.carillon.json;

import org.jspecify.annotations.NullMarked;
