package farm.gantry.api.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Macros;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.apikey.SecretToken;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Tests HTTP behaviour of every host of the API: keys, statuses, error bodies and encodings. */
public interface HttpContract {
    String MACRO = "{\"name\":\"wipe\",\"type\":\"purge\",\"gcode\":\"G28\"}";

    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String text(Answer answer) {
        return answer.text().replaceAll("\"requestId\":\"[^\"]*\"", "\"requestId\":\"\"");
    }

    @Test
    default void unusableKeysGetTheSameError() {
        Client owner = owner();
        String inactive = String.valueOf(
                owner.post("/v1/api-keys", "{\"name\":\"k\",\"active\":false}").at("key"));
        String expired =
                String.valueOf(owner.post("/v1/api-keys", "{\"name\":\"k\",\"expiresAt\":\"2020-01-01T00:00:00Z\"}")
                        .at("key"));
        String unknown = SecretToken.generate(SharedApi.unknownId()).toString();
        String known =
                String.valueOf(owner.post("/v1/api-keys", "{\"name\":\"k\"}").at("key"));
        String otherSecret = SecretToken.generate(known.substring(0, 24)).toString();
        Client nobody = Client.of(host());
        List<Answer> answers = List.of(
                nobody.get("/v1/macros"),
                nobody.with("authorization", "Bearer " + known).get("/v1/macros"),
                nobody.with("authorization", "ApiKey").get("/v1/macros"),
                nobody.with("authorization", "ApiKey x").get("/v1/macros"),
                nobody.keyed(known.substring(0, 80) + (known.endsWith("0") ? "1" : "0"))
                        .get("/v1/macros"),
                nobody.keyed(unknown).get("/v1/macros"),
                nobody.keyed(otherSecret).get("/v1/macros"),
                nobody.keyed(inactive).get("/v1/macros"),
                nobody.keyed(expired).get("/v1/macros"),
                nobody.post("/v1/macros", "{}"));
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(401);
            assertThat(text(answer)).isEqualTo(text(answers.getFirst()));
            assertThat(answer.header("www-authenticate")).isEqualTo("ApiKey");
        });
        Answer agent = nobody.post("/v1/agents/link", "{}");
        assertThat(agent.header("www-authenticate")).isEqualTo("AgentToken");
        assertThat(String.valueOf(agent.at("message"))).contains("AgentToken <token>");
        assertThat(answers.getFirst().at("error")).isEqualTo("unauthorized");
        assertThat(answers.getFirst().at("statusCode")).isEqualTo(401);
    }

    @Test
    default void authorizationSchemeIsCaseInsensitive() {
        String key = SharedApi.newStore().key();
        for (String scheme : List.of("ApiKey", "apikey", "APIKEY")) {
            assertThat(Client.of(host())
                            .with("authorization", scheme + " " + key)
                            .get("/v1/macros")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    default void missingPermissionIsNamed() {
        Client owner = owner();
        Client viewer = owner.permitted("macro.view");
        assertThat(viewer.get("/v1/macros").status()).isEqualTo(200);
        Answer refused = viewer.post("/v1/macros", MACRO);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.at("error")).isEqualTo("forbidden");
        assertThat(refused.at("details[0].path")).isEqualTo("macro.create");
        assertThat(viewer.post("/v1/macros", "not json").status())
                .as("before the body is read")
                .isEqualTo(403);
    }

    @Test
    default void keyIsRejectedForAnotherStore() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        assertThat(client.with("x-store-id", store.id().value())
                        .get("/v1/macros")
                        .status())
                .isEqualTo(200);
        Answer refused =
                client.with("x-store-id", SharedApi.newStore().id().value()).get("/v1/macros");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.at("error")).isEqualTo("forbidden");
    }

    @Test
    default void keyIsRejectedFromOtherAddresses() {
        Client owner = owner();
        Client local = owner.keyed(String.valueOf(owner.post(
                        "/v1/api-keys",
                        "{\"name\":\"l\",\"ipAllowlist\":[\"127.0.0.0/8\",\"::1\"],\"fullAccess\":true}")
                .at("key")));
        Client elsewhere = owner.keyed(
                String.valueOf(owner.post("/v1/api-keys", "{\"name\":\"e\",\"ipAllowlist\":[\"192.0.2.7\"]}")
                        .at("key")));
        assertThat(local.get("/v1/macros").status()).isEqualTo(200);
        assertThat(elsewhere.get("/v1/macros").status()).isEqualTo(403);
        assertThat(elsewhere
                        .with("x-forwarded-for", "192.0.2.7")
                        .get("/v1/macros")
                        .status())
                .as("a header of an untrusted proxy")
                .isEqualTo(403);
    }

    @Test
    default void anotherStoresRecordGetsTheErrorOfAnUnknownId() {
        String id = owner().made("/v1/macros", MACRO);
        Client other = owner().with("X-Request-Id", "same");
        for (String method : List.of("GET", "DELETE", "PATCH")) {
            byte[] body = method.equals("PATCH") ? Client.utf8("{\"name\":\"mine\"}") : new byte[0];
            Client client = other.with("content-type", "application/json");
            Answer foreign = client.send(method, "/v1/macros/" + id, body);
            Answer unknown = client.send(method, "/v1/macros/" + SharedApi.unknownId(), body);
            assertThat(foreign.status()).isEqualTo(404);
            assertThat(foreign.text()).isEqualTo(unknown.text());
        }
    }

    @Test
    default void wordAsIdIsNotFoundAndMalformedIdIsRejected() {
        for (String id : List.of("A".repeat(24), "a".repeat(23), "a".repeat(28), "a".repeat(20))) {
            Answer answer = owner().get("/v1/macros/" + id);
            assertThat(answer.status()).as(id).isEqualTo(400);
            assertThat(answer.at("message")).isEqualTo("id must be 24 characters of a to z and 0 to 9");
        }
        for (String id :
                List.of("x", "search", "a".repeat(19), "a".repeat(29), "1%27%20or%20true--", "%00", "..%2f..%2fetc")) {
            Answer answer = owner().get("/v1/macros/" + id);
            assertThat(answer.status()).as(id).isEqualTo(404);
            assertThat(answer.at("error")).isEqualTo("not_found");
        }
    }

    @Test
    default void everyResponseHasARequestId() {
        Client owner = owner();
        String visible = "!" + "x".repeat(126) + "~";
        assertThat(owner.with("X-Request-Id", visible).get("/v1/macros").header("X-Request-Id"))
                .isEqualTo(visible);
        Answer refused = owner.with("X-Request-Id", "a-1").get("/v1/macros/x");
        assertThat(refused.header("X-Request-Id")).isEqualTo("a-1");
        assertThat(refused.at("requestId")).isEqualTo("a-1");
        for (String unusable : List.of("a b", "x".repeat(129))) {
            assertThat(owner.with("X-Request-Id", unusable).get("/v1/macros").header("X-Request-Id"))
                    .isNotBlank()
                    .isNotEqualTo(unusable);
        }
        for (Answer answer : List.of(
                owner.get("/v1/macros"),
                owner.get("/nowhere"),
                Client.of(host()).get("/v1/macros"))) {
            assertThat(answer.header("X-Request-Id")).isNotBlank();
        }
    }

    @Test
    default void unknownPathGetsTheErrorFormat() {
        Answer path = owner().get("/v1/nothing-here");
        assertThat(path.status()).isEqualTo(404);
        assertThat(path.at("error")).isEqualTo("not_found");
        assertThat(path.header("content-type")).isEqualTo("application/json");
        Answer method = owner().send("PUT", "/v1/macros", new byte[0]);
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.at("error")).isEqualTo("method_not_allowed");
    }

    @Test
    default void unsupportedContentTypeIsRejected() {
        Answer answer = owner().with("content-type", "text/plain").send("POST", "/v1/macros", Client.utf8(MACRO));
        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.at("error")).isEqualTo("unsupported_media_type");
        Answer parameter = owner().with("content-type", "application/json; charset=utf-8")
                .send("POST", "/v1/macros", Client.utf8(MACRO));
        assertThat(parameter.status()).isEqualTo(201);
    }

    @Test
    default void keyIsCheckedBeforeTheContentType() {
        Client typed = Client.of(host()).with("content-type", "text/plain");
        assertThat(typed.send("POST", "/v1/macros", Client.utf8(MACRO)).status())
                .isEqualTo(401);
        Object viewer = owner().post("/v1/api-keys", "{\"name\":\"v\",\"permissions\":[\"macro.view\"]}")
                .at("key");
        assertThat(typed.with("authorization", "ApiKey " + viewer)
                        .send("POST", "/v1/macros", Client.utf8(MACRO))
                        .status())
                .isEqualTo(403);
        assertThat(typed.send("POST", "/v1/nothing", Client.utf8(MACRO)).status())
                .isEqualTo(404);
    }

    @Test
    default void missingOrInvalidParameterIsNamed() {
        Map.of(
                        "/v1/printer-states", "ids",
                        "/v1/printers/stats?from=yesterday", "from",
                        "/v1/system-profiles/x", "id")
                .forEach((target, name) -> {
                    Answer refused = owner().get(target);
                    assertThat(refused.status()).as(target).isEqualTo(400);
                    assertThat(refused.at("error")).as(target).isEqualTo("validation_failed");
                    assertThat(refused.at("details[0].path")).as(target).isEqualTo(name);
                });
        assertThat(owner().get("/v1/reports/costs?groupBy=colour").at("details[0].message"))
                .isEqualTo("groupBy must be one of day, printer, part, sku, order, integration");
    }

    @Test
    default void invalidJsonIsMalformed() {
        for (String body : List.of("", "{", "nonsense", "{\"name\":}", "{\"a\":1}x", "[1,]")) {
            Answer answer = owner().post("/v1/macros", body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.at("error")).as(body).isIn("malformed_json", "validation_failed");
            assertThat(answer.text()).doesNotContain("Exception", "farm.gantry");
        }
        for (String body : List.of("null", "[]", "1", "\"x\"")) {
            assertThat(owner().post("/v1/macros", body).status()).as(body).isEqualTo(400);
        }
    }

    @Test
    default void nonObjectBodyIsInvalidForEveryMethod() {
        Client owner = owner();
        String macro = "/v1/macros/" + owner.made("/v1/macros", MACRO);
        for (String body : List.of("[]", "1", "\"x\"")) {
            for (Answer answer : List.of(
                    owner.post("/v1/macros", body),
                    owner.patch(macro, body),
                    owner.patch("/v1/macros", body),
                    owner.post("/v1/macros/search", body),
                    owner.post("/v1/orders", body),
                    owner.with("content-type", "application/json")
                            .send("PUT", "/v1/orders/" + SharedApi.unknownId(), Client.utf8(body)),
                    owner.patch("/v1/settings/notifications/webhook/events", body))) {
                assertThat(answer.status()).as(body).isEqualTo(400);
                assertThat(answer.at("error")).as(body).isEqualTo("validation_failed");
                assertThat(answer.at("message")).as(body).isEqualTo("the body must be an object");
            }
        }
    }

    @Test
    default void trailingDataAfterJsonIsRejected() {
        for (String rest : List.of("x", " {}", "]", ",", "\u0000")) {
            Answer answer = owner().post("/v1/macros", MACRO + rest);
            assertThat(answer.status()).as(rest).isEqualTo(400);
            assertThat(answer.at("error")).as(rest).isEqualTo("malformed_json");
        }
        assertThat(owner().post("/v1/macros", " \n" + MACRO + " \r\n\t").status())
                .isEqualTo(201);
    }

    @Test
    default void tooDeeplyNestedBodyIsRejected() {
        for (int deep : List.of(200, 2000, 100_000)) {
            String nested = "{\"a\":".repeat(deep) + "1" + "}".repeat(deep);
            String lists = "[".repeat(deep) + "]".repeat(deep);
            for (String body : List.of(
                    "{\"filter\":" + nested + "}",
                    "{\"filter\":{\"compatibilities\":" + nested + "}}",
                    "{\"filter\":{\"compatibilities\":" + lists + "}}",
                    "{\"filter\":" + "{\"not\":".repeat(deep) + "{\"name\":\"x\"}" + "}".repeat(deep) + "}")) {
                Answer answer = owner().post("/v1/macros/search", body);
                assertThat(answer.status()).as("%s deep", deep).isEqualTo(400);
            }
            Answer made = owner().post("/v1/materials", """
                            {"name": "a", "brand": "b", "type": "PLA", "tags": [], "customMetadata": %s}""".formatted(nested));
            assertThat(made.status()).as("%s deep", deep).isEqualTo(400);
        }
        String nested = "{\"a\":".repeat(200) + "1" + "}".repeat(200);
        for (String operator : List.of("", ".ne", ".contains")) {
            Answer answer = owner().get("/v1/parts?customMetadata" + operator + "="
                    + URLEncoder.encode(nested, StandardCharsets.UTF_8));
            assertThat(answer.status()).as(operator).isEqualTo(400);
            assertThat(answer.at("error")).isEqualTo("invalid_filter");
        }
    }

    @Test
    default void bodyWithTooManyValuesIsRejected() {
        Answer answer = owner().post("/v1/macros", "{\"name\":[" + "[],".repeat(500_000) + "0]}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("error")).isEqualTo("malformed_json");
    }

    @Test
    default void onlyTheFirstThousandErrorsAreReturned() {
        Answer answer =
                owner().patch("/v1/folders/move", "{\"entities\":{\"folderIds\":[" + "0,".repeat(50_000) + "0]}}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.at("error")).isEqualTo("validation_failed");
        assertThat(answer.at("details[0].path")).isEqualTo("entities.folderIds[0]");
        assertThat(answer.at("details[999].path")).isEqualTo("entities.folderIds[999]");
        assertThat(answer.json().get("details").size()).isEqualTo(1000);
    }

    @Test
    default void oversizedBodyIsRejectedFirst() {
        String body = "{\"name\":\"" + "x".repeat(5 * 1024 * 1024) + "\"}";
        for (Client client : List.of(owner(), Client.of(host()))) {
            Answer answer = client.post("/v1/macros", body);
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.at("error")).isEqualTo("payload_too_large");
        }
    }

    @Test
    default void contentTypeOfResponsesIsJson() {
        Client owner = owner();
        String id = owner.made("/v1/macros", MACRO);
        for (Answer answer : List.of(
                owner.get("/v1/macros"),
                owner.get("/v1/macros/" + id),
                owner.post("/v1/macros", MACRO),
                owner.post("/v1/macros", "{}"),
                owner.post("/v1/api-keys", "{\"name\":\"k\"}"),
                owner.get("/v1/macros/x"),
                Client.of(host()).get("/v1/macros"),
                owner.delete("/v1/macros/" + id))) {
            assertThat(answer.header("content-type")).isEqualTo("application/json");
        }
    }

    @Test
    default void queryValueIsDecodedUnchanged() {
        Client owner = owner();
        List<String> names =
                List.of("a,b", "a+b", "a b", "100%", "50%25", "é☃\uD83D\uDE00", "a&b=c", "a\\,b", "#1;2/3?");
        for (String name : names) {
            owner.made("/v1/macros", MACRO.replace("wipe", name.replace("\\", "\\\\")));
        }
        for (String name : names) {
            String encoded = URLEncoder.encode(name, UTF_8);
            for (String query : List.of(encoded, encoded.replace("+", "%20"))) {
                assertThat(owner.get("/v1/macros?name=" + query).each("name"))
                        .as(query)
                        .containsExactly(name);
            }
        }
        assertThat(owner.get("/v1/macros?name=a,b").each("name")).containsExactly("a,b");
        assertThat(owner.get("/v1/macros?name.in=a%5C,b,100%25").each("name")).containsExactlyInAnyOrder("a,b", "100%");
    }

    @Test
    default void repeatedParameterIsKeptTwice() {
        Client owner = owner();
        for (String name : List.of("one two", "one", "two")) {
            owner.made("/v1/macros", MACRO.replace("wipe", name));
        }
        assertThat(owner.get("/v1/macros?name.contains=one&name.contains=two").each("name"))
                .containsExactly("one two");
    }

    @Test
    default void parameterWithoutAValueIsEmpty() {
        assertThat(owner().get("/v1/macros?name=&type").status()).isEqualTo(200);
        assertThat(owner().get("/v1/macros?&&").status()).isEqualTo(200);
    }

    @Test
    default void semicolonSeparatesParameters() {
        assertThat(owner().get("/v1/macros?meta=true&name=x;nobody=1").at("meta.ignored[0]"))
                .isEqualTo("nobody");
    }

    @Test
    default void invalidTargetIsAClientError() {
        for (String target : List.of("/v1/macros?name=%zz", "/v1/macros?%=%", "/v1/macros/%zz", "/v1/macros/a|b")) {
            assertThat(owner().get(target).status()).as(target).isIn(200, 400, 404);
        }
    }

    @Test
    default void responseIsCompressedWhenAccepted() {
        Client owner = owner();
        String id = owner.made("/v1/macros", MACRO.replace("G28", "G28 ".repeat(2000)));
        Answer plain = owner.get("/v1/macros/" + id);
        assertThat(plain.header("content-encoding")).isNull();
        Answer zipped = owner.with("accept-encoding", "gzip").get("/v1/macros/" + id);
        assertThat(zipped.header("content-encoding")).isEqualTo("gzip");
        assertThat(zipped.header("content-type")).isEqualTo("application/json");
        assertThat(zipped.body().length).isLessThan(plain.body().length / 10);
        assertThat(inflated(zipped.body())).isEqualTo(plain.body());
        assertThat(owner.with("accept-encoding", "gzip;q=0")
                        .get("/v1/macros/" + id)
                        .header("content-encoding"))
                .isNull();
    }

    @Test
    default void onlyGzipIsUsedForCompression() {
        Client owner = owner();
        String target = "/v1/macros/" + owner.made("/v1/macros", MACRO.replace("G28", "G28 ".repeat(2000)));
        Map<String, Boolean> wishes = new LinkedHashMap<>();
        wishes.put("*", true);
        wishes.put("gzip, deflate, br, zstd", true);
        wishes.put("snappy, GZIP;q=0.5", true);
        wishes.put("identity;q=0.5, gzip;q=0.5", true);
        wishes.put("*/*", false);
        wishes.put("gzip;q=0, *", false);
        wishes.put("gzip;q=0.4, identity", false);
        wishes.put("snappy, deflate, br, zstd", false);
        wishes.put("*;q=0", false);
        wishes.forEach((wish, gzip) -> {
            Answer answer = owner.with("accept-encoding", wish).get(target);
            assertThat(answer.header("content-encoding")).as(wish).isEqualTo(gzip ? "gzip" : null);
            assertThat(answer.header("vary")).as(wish).isEqualToIgnoringCase("accept-encoding");
        });
        assertThat(owner.get(target).header("vary")).isEqualToIgnoringCase("accept-encoding");
    }

    @Test
    default void acceptHeaderDoesNotChangeTheResponse() {
        for (String accept :
                List.of("text/html", "image/png;q=0.1", "nonsense", "*/*", "application/xml, text/plain")) {
            Answer answer = owner().with("accept", accept).get("/v1/macros");
            assertThat(answer.status()).as(accept).isEqualTo(200);
            assertThat(answer.header("content-type")).isEqualTo("application/json");
            assertThat(Client.of(host())
                            .with("accept", accept)
                            .get("/openapi.yaml")
                            .status())
                    .isEqualTo(200);
            assertThat(owner().with("accept", accept)
                            .get("/v1/macros/" + SharedApi.unknownId())
                            .at("error"))
                    .isEqualTo("not_found");
        }
    }

    @Test
    default void contentTypeIsIgnoredWithoutABody() {
        for (String type : List.of("application/x-www-form-urlencoded", "text/plain")) {
            Client typed = owner().with("content-type", type);
            assertThat(typed.send("POST", "/v1/parts/" + SharedApi.unknownId() + "/estimate", new byte[0])
                            .status())
                    .as(type)
                    .isEqualTo(404);
            assertThat(typed.send("DELETE", "/v1/macros/" + SharedApi.unknownId(), new byte[0])
                            .status())
                    .isEqualTo(404);
            assertThat(typed.get("/v1/macros").status()).isEqualTo(200);
            assertThat(typed.send("POST", "/v1/macros", Client.utf8(MACRO)).status())
                    .as("a body of another type")
                    .isEqualTo(415);
        }
    }

    @Test
    default void compressedBodyIsAccepted() {
        Client gzip = owner().with("content-type", "application/json").with("content-encoding", "gzip");
        assertThat(gzip.send("POST", "/v1/macros", deflated(Client.utf8(MACRO))).status())
                .isEqualTo(201);
        assertThat(gzip.send("POST", "/v1/macros", Client.utf8(MACRO)).status())
                .as("not gzip at all")
                .isEqualTo(400);
    }

    @Test
    default void truncatedOrConcatenatedCompressedBodyIsRejected() {
        Client gzip = owner().with("content-type", "application/json").with("content-encoding", "gzip");
        byte[] whole = deflated(Client.utf8(MACRO));
        byte[] withJunk = Arrays.copyOf(whole, whole.length + 5);
        Arrays.fill(withJunk, whole.length, withJunk.length, (byte) 'x');
        byte[] wrong = whole.clone();
        wrong[whole.length - 6] ^= 1;
        for (byte[] body : List.of(
                Arrays.copyOf(whole, whole.length - 8),
                Arrays.copyOf(whole, whole.length - 1),
                Arrays.copyOf(whole, whole.length / 2),
                Arrays.copyOf(whole, 5),
                withJunk,
                wrong)) {
            Answer answer = gzip.send("POST", "/v1/macros", body);
            assertThat(answer.status())
                    .as("%s of %s bytes", body.length, whole.length)
                    .isEqualTo(400);
            assertThat(answer.at("error")).isEqualTo("malformed_json");
        }
    }

    @Test
    default void compressedBodyIsRejectedWhenItInflatesBeyondTheLimit() {
        byte[] bomb = deflated(new byte[64 * 1024 * 1024]);
        Answer answer = owner().with("content-type", "application/json")
                .with("content-encoding", "gzip")
                .send("POST", "/v1/macros", bomb);
        assertThat(answer.status()).isEqualTo(413);
    }

    @Test
    default void headHasNoBody() {
        Client owner = owner();
        String id = owner.made("/v1/macros", MACRO);
        Answer head = owner.send("HEAD", "/v1/macros/" + id, new byte[0]);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.header("content-type")).isEqualTo("application/json");
        assertThat(owner.send("HEAD", "/v1/macros/" + SharedApi.unknownId(), new byte[0])
                        .status())
                .isEqualTo(404);
    }

    @Test
    default void largePageIsComplete() {
        SharedApi.Store store = SharedApi.newStore();
        Macros.insert(store.id(), 1000, 2000);
        Client client = Client.of(host(), store.key());
        assertThat(client.get("/v1/macros").each("name")).hasSize(1000);
        Answer zipped = client.with("accept-encoding", "gzip").get("/v1/macros");
        assertThat(Answer.tree(inflated(zipped.body())).size()).isEqualTo(1000);
    }

    private static byte[] inflated(byte[] body) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] deflated(byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
