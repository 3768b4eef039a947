package dev.carillon.simulation;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** The database as one node reaches it: through a {@link Wire}. */
final class WiredSource implements DataSource {
  private final Connections connections;
  private final Wire wire;

  WiredSource(Connections connections, Wire wire) {
    this.connections = connections;
    this.wire = wire;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (wire.isDead()) {
      throw wire.crash();
    }
    return new WiredConnection(connections, wire).proxy();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public void setLogWriter(PrintWriter writer) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }
}
