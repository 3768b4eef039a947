/** Tests of the bench on figures made up; {@code BenchIT} runs it. */
@NullMarked
package dev.carillon.cli.bench;

import org.jspecify.annotations.NullMarked;
