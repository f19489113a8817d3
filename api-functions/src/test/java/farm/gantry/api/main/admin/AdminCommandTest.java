package farm.gantry.api.main.admin;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.file.SignedUrls;
import farm.gantry.api.main.ServeCommand;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.PostgresPrograms;
import farm.gantry.apikey.SecretToken;
import farm.gantry.file.FileUri;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the operator's commands as processes, with a stopped and a running farm. */
@Tag("install")
@Execution(ExecutionMode.CONCURRENT)
final class AdminCommandTest {
    private static final int CRASHED = 137;

    @TempDir
    Path folder;

    private record Ended(int status, String output, String error) {
        String value(String name) {
            return output.lines()
                    .filter(line -> line.startsWith(name + " "))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(this))
                    .substring(name.length() + 1);
        }
    }

    @Test
    void storesAndKeysAreCreatedWhileRunningOrStopped() throws Exception {
        String first;
        String store;
        String second;
        try (StandaloneServer farm = farm()) {
            first = farm.ownerKey().orElseThrow();
            Ended made = admin("store", "create", "--name", "The other farm");
            assertThat(made.status()).as(made.toString()).isZero();
            store = made.value("store");
            second = made.value("key");
            assertThat(post(farm, second, "{\"name\":\"theirs\",\"type\":\"market1\"}")
                            .statusCode())
                    .isEqualTo(201);
            assertThat(get(farm, second, "/v1/integrations").body()).contains("theirs");
            assertThat(get(farm, first, "/v1/integrations").body()).doesNotContain("theirs");
            assertThat(get(farm, second, "/v1/web-init").body()).contains(store, "The other farm");
        }
        Ended lost = admin("key", "create", "--store", store, "--full-access");
        assertThat(lost.status()).as(lost.toString()).isZero();
        Ended viewer = admin("key", "create", "--store", store, "--permissions", "printer.view");
        assertThat(viewer.status()).as(viewer.toString()).isZero();
        assertThat(admin("secrets", "rotate").value("version")).isEqualTo("3");
        assertThat(admin("database", "restored").value("printers")).isEqualTo("0");
        Ended unknown = admin("key", "create", "--store", "nothere", "--full-access");
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.error()).contains("there is no store nothere");
        Ended wrong = admin("key", "create", "--store", store, "--permissions", "printer.fly");
        assertThat(wrong.status()).isEqualTo(1);
        assertThat(wrong.error()).contains("permissions[0] is not a permission");
        try (StandaloneServer farm = farm()) {
            assertThat(get(farm, lost.value("key"), "/v1/integrations").body()).contains("theirs");
            assertThat(get(farm, viewer.value("key"), "/v1/printers").statusCode())
                    .isEqualTo(200);
            assertThat(get(farm, viewer.value("key"), "/v1/integrations").statusCode())
                    .isEqualTo(403);
            assertThat(admin("secrets", "reseal").status()).isZero();
        }
    }

    @Test
    @Tag("long")
    void keysAndSignedUrlsSurviveAPepperRotation() throws Exception {
        String used;
        String unused;
        String signed;
        try (StandaloneServer farm = farm()) {
            used = farm.ownerKey().orElseThrow();
            String store = store(farm, used);
            unused = admin("key", "create", "--store", store, "--full-access").value("key");
            signed = farm.context()
                    .getBean(SignedUrls.class)
                    .download("", FileUri.upload(store, "nothing.gcode"), Duration.ofHours(1));
            assertThat(admin("pepper", "rotate").status()).isZero();
        }
        try (StandaloneServer farm = farm()) {
            assertThat(hash(farm, used)).doesNotContain("$");
            assertThat(get(farm, used, "/v1/printers").statusCode()).isEqualTo(200);
            assertThat(hash(farm, used)).startsWith("2$");
            String fresh = admin("key", "create", "--store", store(farm, used), "--full-access")
                    .value("key");
            assertThat(hash(farm, fresh)).startsWith("2$");
            assertThat(get(farm, fresh, "/v1/printers").statusCode()).isEqualTo(200);
            assertThat(get(farm, used, signed).statusCode()).as("signed before").isEqualTo(404);
            assertThat(get(farm, used, signed.replace("signature=", "signature=0"))
                            .statusCode())
                    .as("without a signature")
                    .isEqualTo(403);
        }
        Path pepper = folder.resolve("pepper");
        Files.writeString(pepper, Files.readString(pepper).replaceAll(" 1:.*", ""));
        try (StandaloneServer farm = farm()) {
            assertThat(get(farm, used, "/v1/printers").statusCode()).isEqualTo(200);
            assertThat(get(farm, unused, "/v1/printers").statusCode()).isEqualTo(401);
        }
    }

    @Test
    @Tag("long")
    void storeMovesThoughExportAndImportCrash(@TempDir Path other) throws Exception {
        String archive = other.resolve("store.zip").toString();
        String key;
        String store;
        try (StandaloneServer source = farm()) {
            key = source.ownerKey().orElseThrow();
            store = store(source, key);
            assertThat(post(source, key, "{\"name\":\"ours\",\"type\":\"market1\"}")
                            .statusCode())
                    .isEqualTo(201);
            String[] export = {"store", "export", "--store", store, "--to", archive};
            String[] undo = {"store", "export", "--store", store, "--undo", "--not-imported"};
            assertThat(crash("archiving", folder, export)).isEqualTo(CRASHED);
            assertThat(Path.of(archive)).doesNotExist();
            assertThat(get(source, key, "/v1/printers").statusCode()).isEqualTo(503);
            assertThat(admin("store", "export", "--store", store, "--undo").error())
                    .contains("make sure that no installation has imported it");
            assertThat(admin(undo).status()).isZero();
            assertThat(get(source, key, "/v1/printers").statusCode()).isEqualTo(200);
            assertThat(crash("archived", folder, export)).isEqualTo(CRASHED);
            Ended exported = admin(export);
            assertThat(exported.status()).as(exported.toString()).isZero();
        }
        Path target = other.resolve("data");
        String[] importing = {"store", "import", "--from", archive};
        try (StandaloneServer _ = farm(target)) {
            Ended lacking = run(AdminCommand.class, Map.of(), target, List.of(), importing);
            assertThat(lacking.status()).isEqualTo(1);
            Matcher remedy = Pattern.compile("GANTRY_PEPPER='([^']+)'").matcher(lacking.error());
            assertThat(remedy.find()).as(lacking.error()).isTrue();
            Files.writeString(target.resolve("pepper"), remedy.group(1));
        }
        try (StandaloneServer destination = farm(target)) {
            assertThat(crash("files-imported", target, importing)).isEqualTo(CRASHED);
            assertThat(get(destination, key, "/v1/integrations").statusCode()).isEqualTo(401);
            Ended imported = run(AdminCommand.class, Map.of(), target, List.of(), importing);
            assertThat(imported.status()).as(imported.toString()).isZero();
            assertThat(imported.value("store")).isEqualTo(store);
            assertThat(get(destination, key, "/v1/integrations").body()).contains("ours");
        }
        assertThat(admin("store", "moved", "--store", store, "--address", "farm.example")
                        .error())
                .contains("--address must be an address");
        assertThat(admin("store", "moved", "--store", store, "--address", "https://farm.example/")
                        .status())
                .isZero();
        try (StandaloneServer source = farm()) {
            assertThat(get(source, key, "/v1/printers").body()).contains("store_moved", "https://farm.example\"");
        }
    }

    private int crash(String point, Path data, String... arguments) throws IOException, InterruptedException {
        return run(AdminCommand.class, Map.of(), data, List.of("-Dgantry.crashAt=" + point), arguments)
                .status();
    }

    private static String store(StandaloneServer farm, String key) throws Exception {
        return column(farm, "\"storeId\"", key);
    }

    private static String hash(StandaloneServer farm, String key) throws Exception {
        return column(farm, "hash", key);
    }

    private static String column(StandaloneServer farm, String column, String key) throws SQLException {
        try (Connection connection = DriverManager.getConnection(farm.ownerUrl());
                PreparedStatement statement =
                        connection.prepareStatement("select " + column + " from farm.\"apiKey\" where id = ?")) {
            statement.setString(1, SecretToken.parse(key).orElseThrow().id());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getString(1);
            }
        }
    }

    private StandaloneServer farm() throws IOException {
        return farm(folder);
    }

    private static StandaloneServer farm(Path data) throws IOException {
        return StandaloneServer.start(data, Map.of("micronaut.server.port", -1, "gantry.worker.in-process", false));
    }

    private static final String LONG_PEPPER = "p".repeat(32);
    private static final String OTHER_KEY = Base64.getEncoder().encodeToString(new byte[32]);

    /** Returns the environment of another process that uses the running farm's database and these secrets. */
    private Map<String, String> environment(String pepper, String secretKey) throws IOException {
        Path postgres = folder.resolve("postgres");
        return Map.of(
                "GANTRY_PEPPER", pepper,
                "GANTRY_SECRET_KEY", secretKey,
                "GANTRY_FILES_FOLDER", folder.resolve("files").toString(),
                "DATASOURCES_DEFAULT_PASSWORD", LocalPostgres.password(postgres),
                "GANTRY_OWNER_PASSWORD",
                        Files.readString(postgres.resolve("owner-password")).strip());
    }

    @Test
    @Tag("long")
    void weakOrWrongSecretsAreRejectedWithOneSentence() throws Exception {
        try (StandaloneServer _ = farm()) {
            String url = LocalPostgres.findRunningUrl(folder.resolve("postgres"), LocalPostgres.DATABASE)
                    .orElseThrow();
            String key = Files.readString(folder.resolve("secret-key")).strip();
            List<List<String>> commands = List.of(
                    List.of("store", "create", "--name", "n", "--jdbc-url", url),
                    List.of("database", "migrate", "--jdbc-url", url));
            for (List<String> command : commands) {
                String[] arguments = command.toArray(String[]::new);
                assertRefused(
                        run(AdminCommand.class, environment("pepper", key), arguments),
                        "GANTRY_PEPPER must have at least 32");
                assertRefused(
                        run(AdminCommand.class, environment(LONG_PEPPER, OTHER_KEY), arguments),
                        "gantry.secret-key (GANTRY_SECRET_KEY) is not the key with which the secrets of this database"
                                + " are encrypted");
                assertRefused(
                        run(AdminCommand.class, environment(LONG_PEPPER, "no-key"), arguments),
                        "gantry.secret-key (GANTRY_SECRET_KEY) must be 32 bytes in base 64");
            }
            Ended served = run(
                    ServeCommand.class,
                    environment(LONG_PEPPER, OTHER_KEY),
                    "--jdbc-url",
                    url,
                    "--port",
                    String.valueOf(FreePorts.choose()),
                    "--set",
                    "gantry.monitoring.port=" + FreePorts.choose());
            assertRefused(served, "cannot start: gantry.secret-key (GANTRY_SECRET_KEY) is not the key");
            assertThat(run(
                                    AdminCommand.class,
                                    environment(LONG_PEPPER, key),
                                    "store",
                                    "create",
                                    "--name",
                                    "n",
                                    "--jdbc-url",
                                    url)
                            .value("key"))
                    .isNotEmpty();
        }
    }

    private static void assertRefused(Ended ended, String beginning) {
        assertThat(ended.status()).as(ended.toString()).isEqualTo(1);
        assertThat(ended.error()
                        .lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("WARNING: ") && !line.contains(" INFO ")))
                .as(ended.error())
                .singleElement()
                .asString()
                .startsWith(beginning);
    }

    private Ended admin(String... arguments) throws IOException, InterruptedException {
        return run(AdminCommand.class, Map.of(), arguments);
    }

    private Ended run(Class<?> main, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        return run(main, environment, folder, List.of(), arguments);
    }

    private static Ended run(
            Class<?> main, Map<String, String> environment, Path data, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D" + PostgresPrograms.SHARED_FOLDER_PROPERTY + "="
                        + PostgresPrograms.findSharedFolder().orElseThrow(),
                "-cp",
                Objects.requireNonNull(System.getProperty("java.class.path"))));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(Arrays.asList(arguments));
        command.addAll(List.of("--data", data.toString()));
        Path error = data.resolve("admin-error");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(error.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        process.getInputStream().transferTo(output);
        int status = process.waitFor();
        return new Ended(status, output.toString(StandardCharsets.UTF_8), Files.readString(error));
    }

    private static HttpResponse<String> get(StandaloneServer farm, String key, String path) throws Exception {
        return send(request(farm, key, path).GET().build());
    }

    private static HttpResponse<String> post(StandaloneServer farm, String key, String json) throws Exception {
        return send(request(farm, key, "/v1/integrations")
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    private static HttpRequest.Builder request(StandaloneServer farm, String key, String path) {
        return HttpRequest.newBuilder(URI.create(farm.url() + path)).header("authorization", "ApiKey " + key);
    }

    private static HttpResponse<String> send(HttpRequest request) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }
}
