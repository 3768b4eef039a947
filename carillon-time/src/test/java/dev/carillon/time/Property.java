package dev.carillon.time;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A law that holds for whatever a {@link Gen} yields; the method takes the {@code Gen}.
 *
 * <p>{@code -Dproperty.scale=10} runs ten times as many cases, {@code -Dseed=…} exactly the one
 * that a failure named.
 */
@Test
@ExtendWith(Cases.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Property {
  int cases() default 200;
}
