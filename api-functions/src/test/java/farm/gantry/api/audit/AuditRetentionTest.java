package farm.gantry.api.audit;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.contract.HttpContract;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class AuditRetentionTest {
    @Test
    void entriesOlderThanTheRetentionAreDeleted() throws SQLException {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(new Socket(), store.key());
        String old = owner.made("/v1/macros", HttpContract.MACRO);
        String recent = owner.made("/v1/macros", HttpContract.MACRO);
        age(old, 401);
        age(recent, 399);
        SharedApi.bean(AuditRetention.class).deleteExpired(Instant.now());
        Answer left = owner.get("/v1/audit-logs");
        assertThat(left.each("entityId")).contains(recent).doesNotContain(old);
    }

    private static void age(String entityId, int days) throws SQLException {
        try (Connection connection = DriverManager.getConnection(SharedApi.ownerUrl());
                PreparedStatement statement = connection.prepareStatement(
                        "update farm.\"auditLog\" set \"createdAt\" = now() - ? * interval '1 day' where \"entityId\" = ?")) {
            statement.setInt(1, days);
            statement.setString(2, entityId);
            assertThat(statement.executeUpdate()).isEqualTo(1);
        }
    }
}
