package farm.gantry.api.queue;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.SharedApi;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueuedByOlderVersionTest {
    private static final String MIGRATION = "/db/migration/V42__lanes_of_ingest.sql";

    private static String migration() throws IOException {
        try (InputStream script = QueuedByOlderVersionTest.class.getResourceAsStream(MIGRATION)) {
            return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The transaction is rolled back when its connection closes, so that no worker finds the message. */
    @ParameterizedTest
    @CsvSource({"stl, HEAVY", "3mf, HEAVY", "scad, HEAVY", "gcode, PLAIN", "gcode3mf, PLAIN"})
    void queuedModelIsMovedToTheModelQueue(String type, IngestLane lane) throws IOException, SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = owner.createStatement()) {
            owner.setAutoCommit(false);
            statement.execute("insert into farm.\"queueMessage\" (id, queue, body)"
                    + " values ('older', 'ingest', '{\"type\": \"" + type + "\"}')");
            statement.execute(migration());
            try (ResultSet moved =
                    statement.executeQuery("select queue from farm.\"queueMessage\" where id = 'older'")) {
                assertThat(moved.next()).isTrue();
                assertThat(moved.getString(1)).isEqualTo(lane.queue());
            }
            owner.rollback();
        }
    }
}
