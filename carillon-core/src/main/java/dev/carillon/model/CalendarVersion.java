package dev.carillon.model;

import dev.carillon.time.business.BusinessCalendar;

/**
 * A calendar as it is or was.
 *
 * @param calendar what it says
 * @param version which version of it that is, from 1
 * @param changed who made this version, and when
 */
public record CalendarVersion(BusinessCalendar calendar, int version, ChangedBy changed) {}
