package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.integration.IntegrationRows;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("install")
final class SecretReencryptionTest {
    private static final String RECEIVER_KEY = "0123456789abcdef0123456789abcdef";

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());
    private final DataKeys keys = SharedApi.bean(DataKeys.class);
    private final SecretReencryption resealing = SharedApi.bean(SecretReencryption.class);

    @Test
    void allSecretsAreReadableAndOfTheNewVersionAfterResealing() throws SQLException {
        Answer made = client.with("Idempotency-Key", "shop-1")
                .post("/v1/integrations", "{\"name\":\"Shop\",\"type\":\"market1\"}");
        String secret = String.valueOf(made.at("secret"));
        String id = String.valueOf(made.at("id"));
        assertThat(client.post("/v1/integrations/" + id + "/rotate-secret", "{}")
                        .status())
                .isEqualTo(201);
        assertThat(client.post(
                                "/v1/settings/notifications",
                                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"https://farm.example/hook\","
                                        + "\"apiKey\":\"" + RECEIVER_KEY + "\"}}")
                        .status())
                .isEqualTo(201);
        int version = keys.rotate();
        assertThat(columnsWithOlderThan(version))
                .contains("integration.secret", "integration.previousSecret", "notificationSetting.data")
                .contains("idempotencyKey.answer");
        assertThat(previousSecret(id)).isEqualTo(secret);

        assertThat(resealing.reencryptAll().reencrypted()).isGreaterThanOrEqualTo(4);

        assertThat(columnsWithOlderThan(version)).isEmpty();
        assertThat(previousSecret(id)).isEqualTo(secret);
        assertThat(texts("select data->>'apiKey' from farm.\"notificationSetting\" where \"storeId\" = '"
                                + store.id().value() + "'")
                        .stream()
                        .map(SharedApi.bean(Secrets.class)::open))
                .containsExactly(RECEIVER_KEY);
        Answer repeated = client.with("Idempotency-Key", "shop-1")
                .post("/v1/integrations", "{\"name\":\"Shop\",\"type\":\"market1\"}");
        assertThat(repeated.at("secret")).isEqualTo(secret);
        assertThat(resealing.reencryptAll().reencrypted()).isZero();
    }

    @Test
    void unversionedSecretIsReadAndResealed() throws Exception {
        String id = client.made("/v1/integrations", "{\"name\":\"Shop\",\"type\":\"market1\"}");
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] nonce = "twelve bytes".getBytes(StandardCharsets.US_ASCII);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(Base64.getDecoder().decode(SharedApi.SECRET_KEY), "AES"),
                new GCMParameterSpec(128, nonce));
        byte[] text = "kept since long ago".getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[nonce.length + cipher.getOutputSize(text.length)];
        System.arraycopy(nonce, 0, all, 0, nonce.length);
        cipher.doFinal(text, 0, text.length, all, nonce.length);
        run("update farm.integration set \"previousSecret\" = 'sealed:v1:"
                + Base64.getEncoder().encodeToString(all)
                + "', \"previousSecretExpiresAt\" = now() + interval '1 day' where id = '" + id + "'");
        assertThat(previousSecret(id)).isEqualTo("kept since long ago");
        resealing.reencryptAll();
        assertThat(texts("select \"previousSecret\" from farm.integration where id = '" + id + "'"))
                .noneMatch(kept -> kept.startsWith("sealed:v1:"));
        assertThat(previousSecret(id)).isEqualTo("kept since long ago");
    }

    @Test
    void interruptedResealingResumes() throws Exception {
        String id = client.made("/v1/integrations", "{\"name\":\"Shop\",\"type\":\"market1\"}");
        String secret = secret(id);
        run("insert into farm.integration select (jsonb_populate_record(i, jsonb_build_object('id',"
                + " 'zz' || lpad(n::text, 22, '0')))).* from farm.integration i, generate_series(1, 150) n where i.id = '"
                + id + "'");
        int version = keys.rotate();
        try (Connection blocking = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = blocking.createStatement()) {
            blocking.setAutoCommit(false);
            statement.execute("select from farm.integration where \"storeId\" = '"
                    + store.id().value() + "' and id = 'zz0000000000000000000150' for update");
            CompletableFuture<SecretReencryption.Result> blocked = CompletableFuture.supplyAsync(resealing::reencryptAll);
            Eventually.until(
                    "it is cut off while it waits",
                    () -> !texts(
                                    "select pg_terminate_backend(pid)::text from pg_stat_activity where wait_event_type = 'Lock'"
                                            + " and query like '%farm.\"integration\"%for update'")
                            .isEmpty());
            assertThatThrownBy(blocked::join).isInstanceOf(CompletionException.class);
            assertThat(left(version)).isBetween(1, 150);
            blocking.rollback();
        }
        resealing.reencryptAll();
        assertThat(left(version)).isZero();
        assertThat(secret(id)).isEqualTo(secret);
    }

    private int left(int version) throws SQLException {
        return Integer.parseInt(texts("select count(*)::text from farm.integration where \"storeId\" = '"
                        + store.id().value() + "' and secret !~ 'sealed:v" + version + ":'")
                .getFirst());
    }

    private String previousSecret(String id) {
        return SharedApi.bean(Secrets.class)
                .open(Objects.requireNonNull(SharedApi.bean(IntegrationRows.class)
                        .find(id)
                        .orElseThrow()
                        .previousSecret()));
    }

    private String secret(String id) {
        return SharedApi.bean(Secrets.class)
                .open(SharedApi.bean(IntegrationRows.class)
                        .find(id)
                        .orElseThrow()
                        .secret());
    }

    /** Returns the columns, of all tables of stores, that contain secrets of an older version. */
    private List<String> columnsWithOlderThan(int version) throws SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl())) {
            List<String> found = new ArrayList<>();
            for (String column : texts(owner, """
                    select format('%s.%s', c.table_name, c.column_name) from information_schema.columns c
                      join information_schema.columns s on s.table_schema = 'farm' and s.table_name = c.table_name
                        and s.column_name = 'storeId'
                    where c.table_schema = 'farm' and c.data_type in ('text', 'json', 'jsonb')""")) {
                String[] names = column.split("\\.", 2);
                String sql = "select \"storeId\" from farm.\"" + names[0] + "\" where \"storeId\" = '"
                        + store.id().value() + "' and \"" + names[1] + "\"::text ~ 'sealed:v(?!" + version + ":)'";
                if (!texts(owner, sql).isEmpty()) {
                    found.add(column);
                }
            }
            return found;
        }
    }

    private static void run(String sql) throws SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = owner.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> texts(String sql) throws SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl())) {
            return texts(owner, sql);
        }
    }

    private static List<String> texts(Connection owner, String sql) throws SQLException {
        try (Statement statement = owner.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }
}
