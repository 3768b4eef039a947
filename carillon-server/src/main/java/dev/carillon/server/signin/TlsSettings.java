package dev.carillon.server.signin;

import dev.carillon.server.web.Role;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How connections are secured.
 *
 * @param certificate the certificate chain of the server, in PEM
 * @param key its private key, in PEM
 * @param clientCa who may sign client certificates, in PEM; empty if none are asked for
 * @param clientRoles the roles of clients by a name in their certificate
 * @param clientRequired whether clients without a certificate are refused
 */
public record TlsSettings(
    Path certificate,
    Path key,
    Optional<Path> clientCa,
    Map<String, Role> clientRoles,
    boolean clientRequired) {

  public TlsSettings {
    clientRoles = Map.copyOf(clientRoles);
    if (clientCa.isEmpty() && (clientRequired || !clientRoles.isEmpty())) {
      throw new IllegalArgumentException(
          "client certificates need --tls-client-ca (or CARILLON_TLS_CLIENT_CA): who may sign them");
    }
  }

  /** Read {@code name:role;name:role}; a name may hold colons. */
  public static Map<String, Role> checkedRoles(String list) {
    var roles = new LinkedHashMap<String, Role>();
    for (String pair : list.split(";", -1)) {
      int colon = pair.lastIndexOf(':');
      Optional<Role> role =
          colon < 1 ? Optional.empty() : Role.named(pair.substring(colon + 1).strip());
      if (role.isEmpty()) {
        throw new IllegalArgumentException(
            "'%s' must be a name and one of %s, such as ops.example.org:operator"
                .formatted(pair.strip(), String.join(", ", Role.WORDS)));
      }
      roles.put(pair.substring(0, colon).strip(), role.get());
    }
    return roles;
  }
}
