package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.Id;
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
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Secrets that were given to the farm come out of it nowhere, whatever it is asked and whatever it does meanwhile. */
@ExtendWith(Shared.class)
class PlantedSecretsTest {
    private final Farm farm;
    /** Secret by where it was planted. */
    private final Map<String, String> planted = new LinkedHashMap<>();
    /** Text by where it came out. */
    private final Map<String, String> heard = new LinkedHashMap<>();

    PlantedSecretsTest(Farm farm) {
        this.farm = farm;
    }

    private String plant(String where) {
        String secret = "plant" + Id.random(27);
        planted.put(where, secret);
        return secret;
    }

    @Test
    void nothingThatTheFarmPutsOutHoldsASecret() throws Exception {
        planted.put("the owner's key", farm.key());
        Queue<String> delivered = new ConcurrentLinkedQueue<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            delivered.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try (Machine machine = farm.machine("planted")) {
            Api viewer = farm.api().as("ApiKey " + viewer());
            secretsOfIntegrationsAndWebhooks(receiver.getAddress().getPort());
            List<String> printers = printersOfEachMake();
            mistakes(printers);
            machine.confirm();
            farm.awaitJob(farm.buildFor(machine, farm.readyGcode("planted", 60)), "Completed");
            askEverything(viewer);
            for (String filter : List.of("metadata.access_code", "metadata.dev_access_code", "data.apiKey", "hash")) {
                for (String secret : planted.values()) {
                    ask(viewer, "/v1/printers?" + filter + ".startsWith=" + secret.substring(0, 6));
                }
            }
            heard.put("deliveries", String.join("\n", delivered));
            heard.put("metrics", farm.metrics());
            heard.put("the agent's status", Farm.words(farm.agentStatus()));
            printers.forEach(id -> ask("DELETE", "/v1/printers/" + id, Map.of()));
        } finally {
            receiver.stop(0);
        }
        heard.put("logs", farm.logs().replace("key " + farm.key(), "")); // the first start shows it, without --key-file
        heard.put("the database", database());
        planted.forEach((place, secret) -> heard.forEach((where, text) -> {
            for (String form : forms(secret)) {
                assertThat(text.contains(form)).as("%s in %s", place, where).isFalse();
            }
        }));
        assertThat(heard.get("logs")).contains("the API answers");
        assertThat(heard.get("the database")).contains("planted", "sealed:v");
        assertThat(heard).hasSizeGreaterThan(60);
    }

    /** A key that may see everything but what configures printers. */
    private String viewer() throws IOException {
        JsonNode made = farm.api()
                .post(
                        "/v1/api-keys",
                        Map.of(
                                "name",
                                "viewer",
                                "permissions",
                                List.of(
                                        "printer.view",
                                        "part.view",
                                        "queue.view",
                                        "order.view",
                                        "settings.view",
                                        "audit.view")));
        String key = Farm.text(made, "key");
        planted.put("another key", key);
        return key;
    }

    private void secretsOfIntegrationsAndWebhooks(int port) throws IOException {
        JsonNode made = farm.api().post("/v1/integrations", Map.of("name", "Shop", "type", "market1"));
        planted.put("the secret of an integration", Farm.text(made, "secret"));
        farm.api()
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
        farm.api().patch("/v1/settings/notifications/webhook/events", Map.of("onJobSucceeded", true));
    }

    private List<String> printersOfEachMake() {
        List<String> ids = new ArrayList<>();
        Map<String, Map<String, Object>> makes = Map.of(
                "vendorA", Map.of("dev_access_code", plant("vendorA's code")),
                "vendorP", Map.of("host", "127.0.0.1:9", "api_key", plant("vendorP's key")),
                "vendorB", Map.of("host", "127.0.0.1:9", "api_key", plant("vendorB's key")),
                "elegoo-mqtt", Map.of("host", "127.0.0.1", "access_code", plant("elegoo's code")));
        makes.forEach((make, metadata) -> {
            Map<String, Object> told = new LinkedHashMap<>(metadata);
            told.put("provider", make);
            told.put("extruder_count", 1);
            told.put("nozzle_diameter", 0.4);
            told.put("dev_id", "planted-" + make);
            told.put("mainboard_id", "planted-" + make);
            Map<String, Object> printer = Map.of(
                    "name",
                    "planted " + make,
                    "nozzleDiameter",
                    "0.4",
                    "commMethod",
                    "fuse",
                    "provider",
                    make,
                    "deviceId",
                    "planted-" + make,
                    "metadata",
                    told);
            Api.Reply made = ask("PUT", "/v1/printers", List.of(printer));
            if (made.status() < 300) {
                try {
                    ids.add(Farm.text(farm.api().parse(made.body()).get(0), "id"));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
        assertThat(ids).as(heard.toString()).isNotEmpty();
        return ids;
    }

    /** Requests that are refused because of what is beside the secret, or of the secret itself. */
    private void mistakes(List<String> printers) {
        for (String id : printers) {
            ask("PATCH", "/v1/printers/" + id, Map.of("metadata", Map.of("access_code", plant("a mistake"), "x", 1)));
            ask("PATCH", "/v1/printers/" + id, Map.of("metadata", plant("no metadata")));
        }
        ask(
                "POST",
                "/v1/settings/notifications",
                Map.of(
                        "channel",
                        "webhook",
                        "data",
                        Map.of("webhookUrl", "no url", "apiKey", plant("a wrong webhook"))));
        ask("POST", "/v1/integrations", Map.of("name", 7, "type", plant("a wrong type")));
    }

    private Api.Reply ask(String method, String path, Object body) {
        try {
            Api.Reply reply = farm.attempt(method, path, body);
            if (reply.status() >= 400) { // who may configure printers is shown their codes
                heard.merge(method + " " + path, reply.body(), String::concat);
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ask(Api api, String path) throws IOException {
        Api.Reply reply = api.attempt("GET", path, Map.of(), Id.next());
        String body = reply.body();
        for (String secret : planted.values()) {
            body = body.replace("startsWith=" + secret.substring(0, 6), ""); // an error repeats what was asked
        }
        heard.put(path, body);
    }

    /** Every list and single of the description that takes no id. */
    private void askEverything(Api api) throws IOException {
        JsonNode paths = farm.api().get("/openapi.json").get("paths");
        for (Map.Entry<String, JsonNode> path : paths.entries()) {
            boolean isRead = path.getValue().get("get") != null;
            if (isRead && !path.getKey().contains("{") && !path.getKey().equals("/v1/stream")) {
                ask(api, path.getKey());
            }
        }
    }

    private static List<String> forms(String secret) {
        return List.of(
                secret,
                Base64.getEncoder().withoutPadding().encodeToString(secret.getBytes(StandardCharsets.UTF_8)),
                URLEncoder.encode(secret, StandardCharsets.UTF_8));
    }

    /** Every row of every table, and PostgreSQL's own log. */
    private String database() throws IOException, SQLException {
        StringBuilder all = new StringBuilder();
        try (Connection connection = DriverManager.getConnection(farm.ownerUrl());
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
