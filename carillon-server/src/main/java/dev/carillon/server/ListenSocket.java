package dev.carillon.server;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;

/** The address this server listens on, taken before anything slow is begun. */
record ListenSocket(ServerSocketChannel channel, String host, int port) implements AutoCloseable {
  /* A client whose connection finds no place here tries again after a second. */
  private static final int BACKLOG = 4_096;

  /**
   * Take {@code port} of {@code host}.
   *
   * @param port the port, or 0 for any that is free
   * @throws StartException if it cannot be had
   */
  static ListenSocket bind(String host, int port) {
    return bind(host, port, Setting.HOST, Setting.PORT);
  }

  /** Take {@code port} of {@code host}, which these settings name. */
  static ListenSocket bind(String host, int port, Setting hostSetting, Setting portSetting) {
    try {
      InetAddress address = InetAddress.getByName(host);
      ServerSocketChannel channel = ServerSocketChannel.open();
      try {
        channel.bind(new InetSocketAddress(address, port), BACKLOG);
        return new ListenSocket(channel, host, channel.socket().getLocalPort());
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (UnknownHostException e) {
      throw new StartException("cannot listen on '%s': no such host".formatted(host), e);
    } catch (BindException e) {
      throw new StartException(
          complaint(
              String.valueOf(e.getMessage()), host, port, hostSetting.flag(), portSetting.flag()),
          e);
    } catch (IOException e) {
      throw new StartException(
          "cannot listen on port %s of %s: %s".formatted(port, host, e.getMessage()), e);
    }
  }

  private static String complaint(
      String reason, String host, int port, String hostFlag, String portFlag) {
    if (reason.contains("in use")) {
      return "port %s of %s is in use; stop what uses it, or choose another with %s (0 takes any free one)"
          .formatted(port, host, portFlag);
    }
    return reason.contains("denied")
        ? "this user may not listen on port %s; choose one from 1024 on with %s"
            .formatted(port, portFlag)
        : "cannot listen on %s: %s; %s must be an address of this machine"
            .formatted(host, reason, hostFlag);
  }

  String url(boolean secure) {
    return url(secure, host);
  }

  /** Return an address by which programs on this machine reach it, also if it is any address. */
  String localUrl(boolean secure) {
    InetAddress bound = channel.socket().getInetAddress();
    if (!bound.isAnyLocalAddress()) {
      return url(secure);
    }
    return url(secure, host.contains(":") ? "::1" : "127.0.0.1");
  }

  private String url(boolean secure, String name) {
    return "%s://%s:%s"
        .formatted(secure ? "https" : "http", name.contains(":") ? "[" + name + "]" : name, port);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
