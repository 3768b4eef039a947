package dev.carillon.targets.http;

import java.util.Map;
import java.util.Optional;

/**
 * What the settings of a target add to a message.
 *
 * @param headers additional headers by name
 * @param body the body, as JSON; empty for the message event
 */
record MessageParts(Map<String, String> headers, Optional<String> body) {}
