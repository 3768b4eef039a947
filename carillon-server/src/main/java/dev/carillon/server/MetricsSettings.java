package dev.carillon.server;

/**
 * Where metrics are served without sign-in.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 picks a free one
 */
public record MetricsSettings(String host, int port) {}
