package dev.carillon.store.calendar;

import dev.carillon.time.business.BusinessCalendar;
import java.util.Optional;

/**
 * A calendar as planning uses it.
 *
 * @param version its version; that of a combined one does not change with its parts
 * @param calendar its days and hours; empty if this version of Carillon cannot read them
 * @param problem why not; else empty
 */
public record LoadedCalendar(int version, Optional<BusinessCalendar> calendar, String problem) {}
