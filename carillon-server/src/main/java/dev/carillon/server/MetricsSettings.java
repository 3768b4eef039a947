package dev.carillon.server;

/**
 * Where figures are told without a sign-in.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 picks a free one
 */
public record MetricsSettings(String host, int port) {}
