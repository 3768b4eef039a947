package dev.carillon.embedding;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.fixture.BarePool;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;
import org.postgresql.ds.PGSimpleDataSource;

/** The pools that programs use, each as it comes. */
enum Pools {
  HIKARI {
    @Override
    Pool open(PGSimpleDataSource database, boolean autoCommit, int size) {
      var settings = new HikariConfig();
      settings.setDataSource(database);
      settings.setMaximumPoolSize(size);
      settings.setAutoCommit(autoCommit);
      var pool = new HikariDataSource(settings);
      return new Pool(pool, pool::close);
    }
  },
  TOMCAT {
    @Override
    Pool open(PGSimpleDataSource database, boolean autoCommit, int size) {
      var settings = new PoolProperties();
      settings.setDataSource(database);
      settings.setMaxActive(size);
      settings.setMaxIdle(size);
      settings.setMinIdle(1);
      settings.setInitialSize(1);
      settings.setDefaultAutoCommit(autoCommit);
      settings.setTestOnBorrow(true);
      settings.setValidationInterval(0);
      settings.setValidationQuery("select 1");
      var pool = new org.apache.tomcat.jdbc.pool.DataSource(settings);
      return new Pool(pool, () -> pool.close(true));
    }
  },
  DBCP {
    @Override
    Pool open(PGSimpleDataSource database, boolean autoCommit, int size) {
      var pool = new BasicDataSource();
      pool.setDriverClassName("org.postgresql.Driver");
      pool.setUrl(database.getUrl());
      pool.setUsername(database.getUser());
      pool.setPassword(database.getPassword());
      pool.setMaxTotal(size);
      pool.setMaxIdle(size);
      pool.setDefaultAutoCommit(autoCommit);
      pool.setPoolPreparedStatements(true);
      pool.setMaxWait(Duration.ofSeconds(30));
      return new Pool(pool, pool::close);
    }
  },
  BARE {
    @Override
    Pool open(PGSimpleDataSource database, boolean autoCommit, int size) {
      var pool = new BarePool(database, size, connection -> connection.setAutoCommit(autoCommit));
      return new Pool(pool.dataSource(), pool::close);
    }
  };

  abstract Pool open(PGSimpleDataSource database, boolean autoCommit, int size);

  /** How a pool is closed. */
  interface Closing {
    void close() throws SQLException;
  }

  /** A pool, and how to close it. */
  record Pool(DataSource connections, Closing closing) implements AutoCloseable {
    @Override
    public void close() throws SQLException {
      closing.close();
    }
  }
}
