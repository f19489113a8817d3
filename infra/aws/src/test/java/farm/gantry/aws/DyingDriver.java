package farm.gantry.aws;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.Set;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** PostgreSQL's driver, whose commits are steps at which a function may die. Counts connections and statements. */
public final class DyingDriver implements Driver {
    private static final Set<String> STATEMENTS = Set.of("prepareStatement", "createStatement", "prepareCall");

    private final Driver driver = new org.postgresql.Driver();

    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        Requests.count("PostgreSQL connect");
        Connection connection = driver.connect(url, properties);
        return connection == null ? null : dying(connection);
    }

    private static Connection dying(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                DyingDriver.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    if (STATEMENTS.contains(method.getName())) {
                        Requests.count("PostgreSQL " + method.getName());
                    }
                    boolean isCommit = method.getName().equals("commit");
                    if (isCommit) {
                        Deaths.reach("before a commit");
                    }
                    try {
                        Object answer = method.invoke(connection, arguments);
                        if (isCommit) {
                            Deaths.reach("after a commit");
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @Override
    public boolean acceptsURL(String url) throws SQLException {
        return driver.acceptsURL(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) throws SQLException {
        return driver.getPropertyInfo(url, properties);
    }

    @Override
    public int getMajorVersion() {
        return driver.getMajorVersion();
    }

    @Override
    public int getMinorVersion() {
        return driver.getMinorVersion();
    }

    @Override
    public boolean jdbcCompliant() {
        return driver.jdbcCompliant();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("org.postgresql");
    }
}
