package dev.carillon.server;

/**
 * What a client asked, as handlers see it.
 *
 * @param method the HTTP method, in capitals
 * @param path the path, without query
 */
record Request(String method, String path) {}
