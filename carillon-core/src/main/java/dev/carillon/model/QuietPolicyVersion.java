package dev.carillon.model;

/**
 * Quiet hours as they are or were.
 *
 * @param policy what they say, and who keeps them
 * @param version which version of them that is, from 1
 * @param changed who made this version, and when
 */
public record QuietPolicyVersion(QuietPolicy policy, int version, ChangedBy changed) {}
