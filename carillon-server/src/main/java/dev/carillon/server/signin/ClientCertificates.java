package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Role;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/**
 * The client certificates that have a role. The connection has checked who signed them; the role
 * follows from the name: the whole subject, its common name, or an alternative name.
 *
 * @param roles the roles by name
 */
public record ClientCertificates(Map<String, Role> roles) {
  /** None at all. */
  public static final ClientCertificates NONE = new ClientCertificates(Map.of());

  public ClientCertificates {
    roles = Map.copyOf(roles);
  }

  /** Return who holds {@code certificate}; with several names, the one that may do most. */
  Optional<Caller> caller(X509Certificate certificate) {
    String id =
        certificate.getSubjectX500Principal().getName()
            + "\n"
            + certificate.getIssuerX500Principal().getName();
    return names(certificate).stream()
        .filter(roles::containsKey)
        .map(name -> new Caller(name, roles.getOrDefault(name, Role.OPEN), "certificate", id))
        .max((one, other) -> one.role().compareTo(other.role()));
  }

  private static List<String> names(X509Certificate certificate) {
    var names = new ArrayList<String>();
    String subject = certificate.getSubjectX500Principal().getName();
    names.add(subject);
    try {
      new LdapName(subject)
          .getRdns().stream()
              .filter(part -> part.getType().equalsIgnoreCase("CN"))
              .map(part -> String.valueOf(part.getValue()))
              .forEach(names::add);
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives != null) {
        alternatives.forEach(name -> names.add(String.valueOf(name.get(1))));
      }
    } catch (InvalidNameException | CertificateParsingException e) {
      return List.of(subject);
    }
    return names;
  }
}
