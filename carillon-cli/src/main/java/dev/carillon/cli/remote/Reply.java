package dev.carillon.cli.remote;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;

/**
 * What a server answered.
 *
 * @param status of HTTP
 * @param body read as JSON; missing if there was none
 * @param headers of HTTP
 */
public record Reply(int status, JsonNode body, HttpHeaders headers) {}
