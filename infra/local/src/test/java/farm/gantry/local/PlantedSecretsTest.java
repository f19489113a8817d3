package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.api.main.command.SupportBundleCommand;
import farm.gantry.edge.link.Credentials;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

/** Tests that no output of a working farm contains a secret. */
@Tag("full")
@Tag("long")
@ExtendWith(SharedFarm.class)
class PlantedSecretsTest {
    private final Farm farm;
    /** The planted secrets, by the place where each was entered. */
    private final Map<String, String> planted = new LinkedHashMap<>();
    /** The outputs of the farm, by their place. */
    private final Map<String, String> outputs = new LinkedHashMap<>();

    PlantedSecretsTest(Farm farm) {
        this.farm = farm;
    }

    private String plant(String where) {
        String secret = "plant" + Id.random(27);
        planted.put(where, secret);
        return secret;
    }

    @Test
    void farmOutputContainsNoSecrets() throws Exception {
        planted.put("the owner's key", farm.key());
        planted.put(
                "the agent's token",
                Credentials.read(farm.data().resolveSibling("agent"))
                        .orElseThrow()
                        .token());
        Queue<String> delivered = new ConcurrentLinkedQueue<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            delivered.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        List<String> printers = new ArrayList<>();
        try (FarmPrinter machine = farm.addPrinter("planted")) {
            FarmApiClient viewer = farm.api().withAuthorization("ApiKey " + viewer());
            secretsOfIntegrationsAndWebhooks(receiver.getAddress().getPort());
            String prints = plant("the key of a printer that prints");
            Map<String, Object> metadata = new LinkedHashMap<>();
            machine.printer()
                    .get("metadata")
                    .entries()
                    .forEach(entry ->
                            metadata.put(entry.getKey(), entry.getValue().getValue()));
            metadata.put("api_key", prints);
            farm.api().patch("/v1/printers/" + machine.id(), Map.of("metadata", metadata));
            printersOfEachMake(printers);
            mistakes(printers);
            machine.confirmBed();
            farm.awaitJob(farm.buildFor(machine, farm.readyGcode("planted", 60)), "Completed");
            Eventually.until(
                    "the end of the job is delivered",
                    () -> delivered.stream().anyMatch(body -> body.contains("onJobSucceeded")),
                    () -> delivered);
            askEverything(viewer);
            assertFiltersRevealNoSecret(viewer, prints);
            outputs.put("deliveries", String.join("\n", delivered));
            outputs.put("metrics", farm.metrics());
            outputs.put("the agent's status", FarmRequests.describe(farm.agentStatus()));
            outputs.put("the database", database());
        } finally {
            receiver.stop(0);
            printers.forEach(id -> ask("DELETE", "/v1/printers/" + id, Map.of()));
        }
        outputs.put(
                "logs", farm.logs().replace("key " + farm.key(), "")); // the first start shows it, without --key-file
        outputs.put("the support bundle", supportBundle());
        planted.forEach((place, secret) -> outputs.forEach((where, text) -> {
            for (String form : forms(secret)) {
                assertThat(text.contains(form)).as("%s in %s", place, where).isFalse();
            }
        }));
        assertThat(outputs.get("logs")).contains("the API listens at");
        assertThat(outputs.get("the support bundle")).contains("schema V", "rows of printer:", "<1>");
        assertThat(outputs.get("the database")).contains("planted", "sealed:v");
        assertThat(outputs.get("/v1/printers")).contains("planted vendorA", "planted elegoo-mqtt");
        assertThat(outputs).hasSizeGreaterThan(110);
    }

    /** Returns the text of a support bundle whose log contains every planted secret. */
    private String supportBundle() throws IOException {
        Path log = Files.createTempFile("planted", ".log");
        Path archive = log.resolveSibling(log.getFileName() + ".zip");
        Files.writeString(log, "the secret " + String.join(" and ", planted.values()) + " is wrong\n");
        StringBuilder text = new StringBuilder();
        new CommandLine(new SupportBundleCommand())
                .execute("--data", farm.data().toString(), "--log", log.toString(), "--to", archive.toString());
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                text.append(new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
            }
        } finally {
            Files.delete(log);
            Files.deleteIfExists(archive);
        }
        return text.toString();
    }

    /** Returns a key that may read everything but the configuration of printers. */
    private String viewer() throws IOException {
        List<String> views = Arrays.stream(Permission.values())
                .map(Permission::wireName)
                .filter(permission -> permission.endsWith(".view"))
                .toList();
        String key = FarmRequests.text(
                farm.api().post("/v1/api-keys", Map.of("name", "viewer", "permissions", views)), "key");
        planted.put("another key", key);
        return key;
    }

    private void secretsOfIntegrationsAndWebhooks(int port) throws IOException {
        JsonNode made = farm.api()
                .post(
                        "/v1/integrations",
                        Map.of(
                                "name",
                                "Shop",
                                "type",
                                "market1",
                                "settings",
                                Map.of("apiKey", plant("what opens a market"))));
        planted.put("the secret of an integration", FarmRequests.text(made, "secret"));
        planted.put(
                "its next secret",
                FarmRequests.text(
                        farm.api()
                                .post("/v1/integrations/" + FarmRequests.text(made, "id") + "/rotate-secret", Map.of()),
                        "secret"));
        planted.put("a pairing code", FarmRequests.text(farm.api().post("/v1/agents/pairing-codes", Map.of()), "code"));
        JsonNode webhook = farm.api()
                .post(
                        "/v1/settings/notifications",
                        Map.of(
                                "channel",
                                "webhook",
                                "data",
                                Map.of(
                                        "webhookUrl",
                                        "http://127.0.0.1:" + port + "/",
                                        "apiKey",
                                        plant("what a webhook shows"))));
        planted.put(
                "what signs a webhook",
                FarmRequests.text(Objects.requireNonNull(webhook.get("data")), "signingSecret"));
        farm.api().patch("/v1/settings/notifications/webhook/events", Map.of("onJobSucceeded", true));
    }

    /** Creates a printer of each provider that has a secret. */
    private void printersOfEachMake(List<String> ids) throws IOException {
        Map<String, Map<String, Object>> makes = Map.of(
                "vendorA",
                        Map.of(
                                "dev_access_code",
                                plant("vendorA's code"),
                                "dev_id",
                                "planted",
                                "dev_model_name",
                                "N1",
                                "dev_product_name",
                                "A1",
                                "name",
                                "planted",
                                "online",
                                true,
                                "print_status",
                                "IDLE"),
                "vendorP", Map.of("password", plant("vendorP's password")),
                "vendorB", Map.of("port", 9, "api_key", plant("vendorB's key")),
                "firmwareK", Map.of("server_port", 9, "extruder_count", 1, "api_key", plant("firmwareK's key")),
                "elegoo-mqtt", Map.of("access_code", plant("elegoo's code")));
        for (Map.Entry<String, Map<String, Object>> make : makes.entrySet()) {
            Map<String, Object> metadata = new LinkedHashMap<>(make.getValue());
            metadata.put("provider", make.getKey());
            metadata.put("host", "127.0.0.1");
            metadata.put("nozzle_diameter", 0.4);
            Map<String, Object> printer = Map.of(
                    "name",
                    "planted " + make.getKey(),
                    "nozzleDiameter",
                    "0.4",
                    "commMethod",
                    "fuse",
                    "provider",
                    make.getKey(),
                    "deviceId",
                    "planted-" + make.getKey(),
                    "proxyClientId",
                    farm.agentId(),
                    "metadata",
                    metadata);
            ids.add(FarmRequests.text(
                    farm.api().put("/v1/printers", List.of(printer)).get(0), "id"));
        }
    }

    /** Sends requests that are rejected because of a field beside the secret, or of the secret itself. */
    private void mistakes(List<String> printers) {
        for (String id : printers) {
            refused("PATCH", "/v1/printers/" + id, Map.of("metadata", plant("no metadata")));
            refused(
                    "PATCH",
                    "/v1/printers/" + id,
                    Map.of(
                            "metadata",
                            Map.of("password", plant("a mistake"), "api_key", plant("another"), "port", "no port")));
        }
        refused(
                "POST",
                "/v1/settings/notifications",
                Map.of(
                        "channel",
                        "webhook",
                        "data",
                        Map.of("webhookUrl", "no url", "apiKey", plant("a wrong webhook"))));
        refused("POST", "/v1/integrations", Map.of("name", 7, "type", plant("a wrong type")));
    }

    private void refused(String method, String path, Object body) {
        assertThat(ask(method, path, body).status()).as("%s %s", method, path).isBetween(400, 499);
    }

    /**
     * Checks that a filter by a secret answers a right guess and a wrong one alike, as soon as nothing changes between
     * the two.
     */
    private void assertFiltersRevealNoSecret(FarmApiClient viewer, String secret) {
        String right = secret.substring(0, 8);
        String wrong = "plantZZZ";
        for (String filter : List.of(
                "/v1/printers?metadata.api_key",
                "/v1/printers?metadata",
                "/v1/printers?search",
                "/v1/integrations?settings.apiKey",
                "/v1/integrations?secret",
                "/v1/settings/notifications?data.apiKey",
                "/v1/audit-logs?after.metadata.api_key",
                "/v1/api-keys?hash")) {
            for (String operator : List.of("", ".startsWith", ".contains", ".gt")) {
                String path = filter + operator + "=";
                Eventually.until(
                        "the same answer to both guesses at " + path,
                        () -> filtered(viewer, path, right).equals(filtered(viewer, path, wrong)),
                        () -> filtered(viewer, path, right));
            }
        }
    }

    private static String filtered(FarmApiClient viewer, String path, String guess) {
        FarmApiClient.Reply reply;
        try {
            reply = viewer.attempt("GET", path + guess, Map.of(), Id.next());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (reply.status() + reply.body()).replace(guess, "").replaceAll("\"requestId\":\"[^\"]*\"", "");
    }

    private FarmApiClient.Reply ask(String method, String path, Object body) {
        try {
            FarmApiClient.Reply reply = farm.attempt(method, path, body);
            if (reply.status() >= 400) { // who may configure printers is shown their codes
                outputs.merge(method + " " + path, reply.body(), String::concat);
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private FarmApiClient.Reply ask(FarmApiClient api, String method, String path, Object body) throws IOException {
        FarmApiClient.Reply reply = api.attempt(method, path, body, Id.next());
        outputs.merge(path, reply.body(), String::concat);
        return reply;
    }

    /**
     * Requests every list and single resource of the description without an id, every search, and each record by its
     * id.
     */
    private void askEverything(FarmApiClient api) throws IOException {
        JsonNode paths = farm.api().get("/openapi.json").get("paths");
        for (Map.Entry<String, JsonNode> path : paths.entries()) {
            String name = path.getKey();
            if (name.endsWith("/search") && path.getValue().get("post") != null) {
                ask(api, "POST", name, Map.of());
            }
            if (path.getValue().get("get") == null || name.contains("{") || name.equals("/v1/stream")) {
                continue;
            }
            FarmApiClient.Reply list = ask(api, "GET", name, Map.of());
            if (list.status() == 200 && paths.get(name + "/{id}") != null) {
                JsonNode answer = farm.api().parse(list.body());
                for (JsonNode record : (answer.isArray() ? answer : answer.get("data")).values()) {
                    if (record.get("id") != null && record.get("id").isString()) {
                        ask(api, "GET", name + "/" + FarmRequests.text(record, "id"), Map.of());
                    }
                }
            }
        }
        outputs.put("the stream", api.readStream());
    }

    private static List<String> forms(String secret) {
        return List.of(
                secret,
                Base64.getEncoder().withoutPadding().encodeToString(secret.getBytes(StandardCharsets.UTF_8)),
                URLEncoder.encode(secret, StandardCharsets.UTF_8));
    }

    /** Returns every row of every table, and PostgreSQL's own log. */
    private String database() throws IOException, SQLException {
        StringBuilder all = new StringBuilder();
        try (Connection connection = DriverManager.getConnection(OperatorAccess.ownerUrl(farm));
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(
                    "select quote_ident(table_name) from information_schema.tables where table_schema = 'farm'")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            for (String table : tables) {
                try (ResultSet rows = statement.executeQuery(
                        "select string_agg(to_jsonb(t)::text, e'\\n') from farm." + table + " t")) {
                    rows.next();
                    all.append(rows.getString(1));
                }
            }
        }
        Path log = farm.data().resolve("postgres/postgres.log");
        return all + Files.readString(log, StandardCharsets.ISO_8859_1);
    }
}
