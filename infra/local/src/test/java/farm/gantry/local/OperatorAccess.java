package farm.gantry.local;

import farm.gantry.Id;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.apikey.SecretToken;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** An operator's direct access to a farm's database, as its owner. */
final class OperatorAccess {
    private OperatorAccess() {}

    /** Returns the JDBC URL of the role that owns the database. */
    static String ownerUrl(Farm farm) throws IOException {
        return LocalPostgres.ownerUrl(farm.data().resolve("postgres"), "gantry");
    }

    /** Creates another store as an operator would, without the API, and returns the API of its user. */
    static Api newStore(Farm farm) throws IOException, SQLException {
        String store = Id.next();
        String keyId = Id.next();
        SecretToken text = SecretToken.generate(keyId);
        String salt = Id.random(24);
        String pepper = Files.readString(farm.data().resolve("pepper")).strip();
        try (Connection connection = DriverManager.getConnection(ownerUrl(farm))) {
            run(connection, "insert into farm.store (\"storeId\", name) values (?, 'Another farm')", store);
            run(connection, """
                    insert into farm."apiKey" ("storeId", id, "createdAt", "updatedAt", name, active, "fullAccess",
                                               permissions, managed, hash, salt)
                    values (?, ?, now(), now(), 'owner', true, true, '[]', false, ?, ?)""", store, keyId, text.hash(pepper, salt), salt);
        }
        return farm.api().as("ApiKey " + text);
    }

    private static void run(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.execute();
        }
    }
}
