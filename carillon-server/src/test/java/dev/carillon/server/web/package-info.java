@NullMarked
package dev.carillon.server.web;

import org.jspecify.annotations.NullMarked;
