/** The commands for targets, tokens, workflows and nodes. */
@NullMarked
package dev.carillon.cli.admin;

import org.jspecify.annotations.NullMarked;
