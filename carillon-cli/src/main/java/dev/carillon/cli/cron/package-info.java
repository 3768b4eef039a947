/** The command that explains cron expressions. */
@NullMarked
package dev.carillon.cli.cron;

import org.jspecify.annotations.NullMarked;
