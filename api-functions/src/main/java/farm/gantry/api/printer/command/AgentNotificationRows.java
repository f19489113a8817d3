package farm.gantry.api.printer.command;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.DatabaseException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Notifies all processes on the database, by PostgreSQL NOTIFY, that commands for a store's agents are queued. */
@Singleton
@Requires(property = Database.SHARED, value = "true")
public final class AgentNotificationRows {
    private static final String CHANNEL = "agents";
    private static final PGNotification[] NONE = {};
    /** Maximum time per read of the connection, after which a broken one is detected. */
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(10);

    private final Database database;
    private final DataSource data;
    private final String user;
    private final String password;
    /** JDBC URL that bypasses a connection pooler; empty without one. */
    private final String directUrl;

    AgentNotificationRows(
            Database database,
            DataSource data,
            @Value("${datasources.default.username}") String user,
            @Value("${datasources.default.password:}") String password,
            @Value("${" + Database.DIRECT_URL + ":}") String directUrl) {
        this.database = database;
        this.data = DelegatingDataSource.unwrapDataSource(data);
        this.user = user;
        this.password = password;
        this.directUrl = directUrl;
    }

    /** Returns a connection with a session of its own. */
    private Connection connect() throws SQLException {
        return directUrl.isEmpty() ? data.getConnection() : DriverManager.getConnection(directUrl, user, password);
    }

    public void notifyProcesses(StoreId store) {
        database.run("select pg_notify(?, ?)", CHANNEL, store.value());
    }

    /**
     * Passes on notifications, including this process's own, until the thread is interrupted or the connection fails.
     * {@code onListening} runs once the subscription is active.
     */
    public void listen(Runnable onListening, Consumer<StoreId> onNotice) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(true);
            statement.execute("listen " + CHANNEL);
            onListening.run();
            PGConnection notified = connection.unwrap(PGConnection.class);
            while (!Thread.currentThread().isInterrupted()) {
                PGNotification[] read = notified.getNotifications((int) READ_TIMEOUT.toMillis());
                PGNotification[] notices = read == null ? NONE : read;
                for (PGNotification notice : notices) {
                    onNotice.accept(new StoreId(notice.getParameter()));
                }
                if (notices.length == 0 && !connection.isValid((int) READ_TIMEOUT.toSeconds())) {
                    throw new SQLException("the connection that listens for notifications is closed");
                }
            }
        } catch (SQLException e) {
            if (!Thread.currentThread().isInterrupted()) {
                throw new DatabaseException(e);
            }
        }
    }
}
