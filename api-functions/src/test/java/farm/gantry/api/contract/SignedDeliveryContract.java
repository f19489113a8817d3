package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Tests deliveries of marketplaces and drives, signed as in the Standard Webhooks specification. */
public interface SignedDeliveryContract {
    Host host();

    /** An integration that sends signed deliveries to a store. */
    record Sender(Host host, SharedApi.Store store, Client client, String id, String secret) {
        static Sender of(Host host, String type, String settings) {
            SharedApi.Store store = SharedApi.newStore();
            Client client = Client.of(host, store.key());
            Answer made = client.post(
                    "/v1/integrations", "{\"name\":\"n\",\"type\":\"" + type + "\",\"settings\":{" + settings + "}}");
            return new Sender(host, store, client, String.valueOf(made.at("id")), String.valueOf(made.at("secret")));
        }

        Sender signingBy(String other) {
            return new Sender(host, store, client, id, other);
        }

        Answer send(String to, String webhookId, String body) {
            return send(to, webhookId, Instant.now().getEpochSecond(), body, body);
        }

        Answer send(String to, String webhookId, long at, String signed, String body) {
            return Client.of(host)
                    .with("webhook-id", webhookId)
                    .with("webhook-timestamp", String.valueOf(at))
                    .with("webhook-signature", "v1,b3RoZXI= " + signature(secret, webhookId + "." + at + "." + signed))
                    .post("/v1/integrations/" + id + "/" + to, body);
        }

        public static String signature(String secret, String signed) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
                return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Creates a SKU with a printable part. */
    private static void sellLamps(Sender market) {
        String part = ReadyParts.uploaded(market.store(), market.client());
        market.client().made("/v1/skus", """
                {"sku":"LAMP","title":"Lamp","linkedParts":[
                  {"partId":"%s","label":"foot","quantity":1,"parameters":[],"exposedParameters":[]}]}""".formatted(part));
    }

    private static String order(String externalId, String sku) {
        return "{\"order\":{\"externalId\":\"" + externalId + "\"},\"customer\":{\"name\":\"Ada é\"},"
                + "\"items\":[{\"externalSku\":\"" + sku + "\",\"quantity\":2}]}";
    }

    @Test
    default void signedOrderIsAccepted() {
        Sender market = Sender.of(host(), "market4", "");
        String body = order("A-1", "LAMP");
        Answer taken = market.send("orders", "msg_1", body);
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        assertThat(taken.at("order.source")).isEqualTo("market4");
        assertThat(taken.at("order.integrationId")).isEqualTo(market.id());
        assertThat(taken.at("customer.name")).isEqualTo("Ada é");
        assertThat(taken.at("items[0].resolutionNote.type")).isEqualTo("sku_not_found");
        long now = Instant.now().getEpochSecond();
        String unknown = Client.of(host())
                .post("/v1/integrations/" + SharedApi.unknownId() + "/orders", body)
                .text()
                .replaceAll("\"requestId\":\"[^\"]*\"", "");
        for (Answer refused : List.of(
                market.send("orders", "msg_2", now - 301, body, body),
                market.send("orders", "msg_2", now + 320, body, body),
                market.send("orders", "msg_2", now, body + " ", body),
                market.signingBy(Sender.of(host(), "market4", "").secret()).send("orders", "msg_2", body),
                market.send("orders", "", body),
                new Sender(host(), market.store(), market.client(), "no-id", market.secret())
                        .send("orders", "msg_2", body))) {
            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.header("www-authenticate")).isEqualTo("WebhookSignature");
            assertThat(refused.text().replaceAll("\"requestId\":\"[^\"]*\"", ""))
                    .isEqualTo(unknown);
        }
        assertThat(market.client().get("/v1/orders").each("externalId")).containsExactly("A-1");
        assertThat(market.send("files", "msg_3", body).status())
                .as("a market has no drive")
                .isEqualTo(409);
        assertThat(market.send("orders", "msg_4", "{\"order\":{\"price\":-7}}").at("details[0].path"))
                .isEqualTo("order.price");
        assertThat(market.send("orders", "msg_4", order("A-2", "LAMP")).status())
                .as("rejected request can be corrected and sent again")
                .isEqualTo(201);
    }

    @Test
    default void customersOfTwoMarketsStaySeparate() {
        Sender market = Sender.of(host(), "market1", "");
        Answer made = market.client().post("/v1/integrations", "{\"name\":\"n\",\"type\":\"market2\",\"settings\":{}}");
        Sender other = new Sender(
                host(),
                market.store(),
                market.client(),
                String.valueOf(made.at("id")),
                String.valueOf(made.at("secret")));
        String order =
                "{\"order\":{\"externalId\":\"%s\"},\"customer\":{\"email\":\"ada@example.com\",%s},\"items\":[]}";
        Answer first = market.send("orders", "msg_1", order.formatted("A-1", "\"externalId\":\"c-1\""));
        other.send("orders", "msg_1", order.formatted("B-1", "\"phone\":\"2\""));
        Answer changed = other.send("orders", "msg_2", order.formatted("B-1", "\"externalId\":\"77\",\"phone\":\"3\""));
        assertThat(changed.at("customer.id")).isEqualTo(first.at("customer.id"));
        assertThat(changed.at("customer.phone")).isEqualTo("3");
        assertThat(changed.at("customer.externalId")).isEqualTo("c-1");
        assertThat(changed.at("customer.integrationId")).isEqualTo(market.id());
        assertThat(market.send("orders", "msg_2", order.formatted("A-2", "\"externalId\":\"c-1\""))
                        .at("customer.id"))
                .isEqualTo(first.at("customer.id"));
    }

    @Test
    default void repeatedDeliveryIsProcessedOnceWithTheSameResponse() throws Exception {
        Sender market = Sender.of(host(), "market1", "");
        String body = order("B-1", "LAMP");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> sent = IntStream.range(0, 8)
                    .mapToObj(_ -> threads.submit(() -> market.send("orders", "msg_1", body)))
                    .toList();
            String first = sent.getFirst().get().text();
            for (Future<Answer> each : sent) {
                assertThat(each.get().status()).isEqualTo(201);
                assertThat(each.get().text()).isEqualTo(first);
            }
            market.client()
                    .patch("/v1/orders/" + Answer.at(Answer.tree(Client.utf8(first)), "order.id"), "{\"note\":\"n\"}");
            assertThat(market.send("orders", "msg_1", body).text()).isEqualTo(first);
        }
        assertThat(market.client().get("/v1/orders").each("externalId")).containsExactly("B-1");
        market.send("orders", "msg_2", body);
        assertThat(market.client().get("/v1/orders/items").each("quantity"))
                .as("the same order in another delivery")
                .containsExactly("2");
    }

    @Test
    default void previousSecretIsValidForADayAfterRotation() {
        Sender market = Sender.of(host(), "market2", "");
        Client client = market.client();
        String rotate = "/v1/integrations/" + market.id() + "/rotate-secret";
        Answer rotated = client.post(rotate, "");
        assertThat(rotated.status()).as(rotated.text()).isEqualTo(201);
        Sender rotatedSender = market.signingBy(String.valueOf(rotated.at("secret")));
        assertThat(rotatedSender.secret()).isNotEqualTo(market.secret());
        assertThat(rotated.at("previousSecretExpiresAt"))
                .asString()
                .isGreaterThan(Instant.now().plusSeconds(86_000).toString());
        assertThat(market.send("orders", "msg_1", order("C-1", "L")).status()).isEqualTo(201);
        assertThat(rotatedSender.send("orders", "msg_2", order("C-2", "L")).status())
                .isEqualTo(201);
        client.post(rotate, "");
        assertThat(market.send("orders", "msg_3", order("C-3", "L")).status()).isEqualTo(401);
        assertThat(rotatedSender.send("orders", "msg_4", order("C-4", "L")).status())
                .isEqualTo(201);
        assertThat(client.get("/v1/integrations/" + market.id()).text()).doesNotContain("whsec_");
        assertThat(client.post("/v1/integrations/" + SharedApi.unknownId() + "/rotate-secret", "")
                        .status())
                .isEqualTo(404);
    }

    @Test
    default void autoPrintQueuesTheDeliveredOrder() {
        Sender market = Sender.of(host(), "market1", "\"autoPrint\":true");
        sellLamps(market);
        Answer taken = market.send("orders", "msg_1", order("D-1", "LAMP"));
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        assertThat(taken.at("items[0].processedStatus")).isEqualTo("processed");
        assertThat(market.client().get("/v1/print-jobs").each("orderId"))
                .hasSize(2)
                .containsOnly(String.valueOf(taken.at("order.id")));
        market.send("orders", "msg_1", order("D-1", "LAMP"));
        market.send("orders", "msg_2", order("D-1", "LAMP"));
        assertThat(market.client().get("/v1/print-jobs").each("id")).hasSize(2);
    }

    @Test
    default void marketChangesItsOrderByItsExternalIds() {
        Sender market = Sender.of(host(), "market1", "");
        String words = "{\"order\":{\"externalId\":\"E-1\",\"orderNumber\":null,\"source\":null,\"integrationId\":\""
                + SharedApi.unknownId()
                + "\"},\"customer\":{\"name\":\"Ada\",\"integrationId\":null},\"items\":[{\"externalSku\":\"L\",\"quantity\":%d}]}";
        Answer taken = market.send("orders", "msg_1", words.formatted(1));
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        Answer changed = market.send("orders", "msg_2", words.formatted(3));
        assertThat(changed.status()).as(changed.text()).isEqualTo(201);
        assertThat(changed.at("items[0].quantity")).hasToString("3");
        for (String kept : List.of("order.id", "order.orderNumber", "order.source", "order.integrationId")) {
            assertThat(changed.at(kept)).as(kept).isEqualTo(taken.at(kept));
        }
        assertThat(changed.at("customer.integrationId")).isEqualTo(market.id());
    }

    @Test
    default void closedOrderIsReopenedWhenTheMarketAddsPieces() {
        Sender market = Sender.of(host(), "market1", "");
        String order =
                String.valueOf(market.send("orders", "msg_1", order("F-1", "L")).at("order.id"));
        String close = "{\"orderIds\":[\"" + order + "\"]}";
        market.client().patch("/v1/orders/batch/close", close);
        String named = order("F-1", "L").replace("Ada", "Eva");
        assertThat(market.send("orders", "msg_2", named).at("order.status")).isEqualTo("closed");
        String fewer = named.replace("\"quantity\":2", "\"quantity\":1");
        assertThat(market.send("orders", "msg_3", fewer).at("order.status")).isEqualTo("closed");
        assertThat(market.send("orders", "msg_4", named).at("order.status")).isEqualTo("open");
        market.client().patch("/v1/orders/batch/close", close);
        String another = named.replace("\"items\":[", "\"items\":[{\"externalSku\":\"M\"},");
        assertThat(market.send("orders", "msg_5", another).at("order.status")).isEqualTo("open");
        market.client().post("/v1/orders/" + order + "/cancel", "");
        assertThat(market.send("orders", "msg_6", order("F-1", "N")).at("order.status"))
                .as("a cancelled job stays cancelled")
                .isEqualTo("closed");
    }

    @Test
    default void marketCancelsItsOrderByItsCancellationTime() {
        Sender market = Sender.of(host(), "market1", "\"autoPrint\":true");
        sellLamps(market);
        Answer taken = market.send("orders", "msg_1", order("H-1", "LAMP"));
        assertThat(market.client().get("/v1/print-jobs").each("status")).containsOnly("Pending");
        String cancelling = "\"H-1\",\"cancelledAt\":\"%s\"";
        String unread = order("H-1", "LAMP").replace("\"H-1\"", cancelling.formatted("yesterday"));
        assertThat(market.send("orders", "msg_2", unread).at("details[0].path")).isEqualTo("order.cancelledAt");
        String cancelled = order("H-1", "LAMP").replace("\"H-1\"", cancelling.formatted("2026-11-02T03:04:05+01:00"));
        Answer answer = market.send("orders", "msg_2", cancelled);
        assertThat(answer.at("order.id")).as(answer.text()).isEqualTo(taken.at("order.id"));
        assertThat(answer.at("order.status")).isEqualTo("closed");
        assertThat(answer.at("order.cancelledAt")).isNotNull();
        assertThat(market.client().get("/v1/print-jobs").each("status"))
                .hasSize(2)
                .containsOnly("Cancelled");
        Answer unheard = market.send("orders", "msg_3", cancelled.replace("H-1", "H-2"));
        assertThat(unheard.at("order.cancelledAt")).as(unheard.text()).isNotNull();
        assertThat(market.client().get("/v1/print-jobs").each("id")).hasSize(2);
        assertThat(market.client()
                        .post("/v1/orders", cancelled.replace("H-1", "H-3"))
                        .at("order.cancelledAt"))
                .as("cancellation has its own route")
                .isNull();
    }

    @Test
    default void outdatedDeliveryChangesNothing() {
        Sender market = Sender.of(host(), "market1", "");
        String sent =
                "{\"order\":{\"externalId\":\"I-1\",\"note\":\"%s\",\"externalUpdatedAt\":\"2026-11-02T03:0%d:00Z\"}}";
        market.send("orders", "msg_1", sent.formatted("first", 1));
        market.send("orders", "msg_3", sent.formatted("third", 3));
        Answer late = market.send("orders", "msg_2", sent.formatted("second", 2));
        assertThat(late.status()).as(late.text()).isEqualTo(201);
        assertThat(late.at("order.note")).isEqualTo("third");
        assertThat(late.at("order.externalUpdatedAt")).isEqualTo("2026-11-02T03:03:00.000Z");
        assertThat(market.send("orders", "msg_4", sent.formatted("of the same time", 3))
                        .at("order.note"))
                .isEqualTo("of the same time");
    }

    @Test
    default void emptyTextIsNullAndLineOfZeroPiecesIsRemoved() {
        Sender market = Sender.of(host(), "market1", "");
        String sent = """
                {"order":{"externalId":"%s","currency":"","externalUrl":" "},
                 "customer":{"name":"%s","email":"","externalId":"","countryCode":"","phone":""},
                 "items":[{"externalId":"1","externalSku":"L","quantity":%d},{"externalId":"2","externalSku":"M"}]}""";
        Answer one = market.send("orders", "msg_1", sent.formatted("K-1", "Ada", 2));
        assertThat(one.status()).as(one.text()).isEqualTo(201);
        assertThat(one.at("order.currency")).isNull();
        assertThat(one.at("customer.email")).isNull();
        Answer other = market.send("orders", "msg_2", sent.formatted("K-2", "Eva", 2));
        assertThat(other.at("customer.name")).isEqualTo("Eva");
        assertThat(other.at("customer.id")).isNotEqualTo(one.at("customer.id"));
        Answer fewer = market.send("orders", "msg_3", sent.formatted("K-1", "Ada", 0));
        assertThat(fewer.status()).as(fewer.text()).isEqualTo(201);
        assertThat(fewer.json().get("items").size()).isEqualTo(1);
        assertThat(fewer.at("items[0].id")).isEqualTo(one.at("items[1].id"));
    }

    @Test
    default void laterOrderUpdatesTheCustomersAddress() {
        Sender market = Sender.of(host(), "market1", "");
        String sent =
                "{\"order\":{\"externalId\":\"%s\"},\"customer\":{\"email\":\"ada@example.com\",\"address\":\"%s\"}}";
        Answer first = market.send("orders", "msg_1", sent.formatted("L-1", "1 Old Street"));
        Answer later = market.send("orders", "msg_2", sent.formatted("L-2", "2 New Street"));
        assertThat(later.at("customer.id")).as(later.text()).isEqualTo(first.at("customer.id"));
        assertThat(later.at("customer.address")).isEqualTo("2 New Street");
    }

    @Test
    default void lineWithoutAnExternalIdDoesNotReopenTheOrder() {
        Sender market = Sender.of(host(), "market1", "");
        String wrapped = order("G-1", "L").replace("\"items\":[", "\"items\":[{\"title\":\"Gift wrap\"},");
        Answer taken = market.send("orders", "msg_1", wrapped);
        assertThat(taken.at("items[0].title")).as(taken.text()).isEqualTo("Gift wrap");
        String close = "{\"orderIds\":[\"" + taken.at("order.id") + "\"]}";
        market.client().patch("/v1/orders/batch/close", close);
        assertThat(market.send("orders", "msg_2", wrapped.replace("Ada", "Eva")).at("order.status"))
                .isEqualTo("closed");
    }

    @Test
    default void driveFileBecomesAPartAndItsChangeUpdatesThePart() throws Exception {
        Sender drive = Sender.of(host(), "storage2", "");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        String[] content = {"; one"};
        server.createContext("/", exchange -> {
            byte[] bytes = content[0].getBytes(StandardCharsets.UTF_8);
            boolean isThere = exchange.getRequestURI().getPath().equals("/there");
            exchange.sendResponseHeaders(isThere ? 200 : 302, isThere ? bytes.length : -1);
            if (isThere) {
                exchange.getResponseBody().write(bytes);
            }
            exchange.close();
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            String file = "{\"url\":\"" + url + "/there\",\"name\":\"%s\",\"externalId\":\"%s\"}";
            Answer made = drive.send("files", "f1", file.formatted("foot.gcode", "1"));
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            assertThat(made.at("name")).isEqualTo("foot.gcode");
            assertThat(made.at("type")).isEqualTo("gcode");
            assertThat(made.at("source")).isEqualTo("storage2");
            assertThat(made.at("processingStatus")).isEqualTo("processing");
            assertThat(drive.send("files", "f1", file.formatted("foot.gcode", "1"))
                            .text())
                    .isEqualTo(made.text());
            assertThat(drive.send("files", "f2", file.formatted("copy.gcode", "2"))
                            .at("id"))
                    .as("the same bytes")
                    .isEqualTo(made.at("id"));
            content[0] = "; two";
            Answer other = drive.send("files", "f3", file.formatted("copy.gcode", "2"));
            assertThat(other.at("id"))
                    .as("the other file still is the first part")
                    .isNotEqualTo(made.at("id"));
            content[0] = "; three";
            Answer changed = drive.send("files", "f4", file.formatted("foot.gcode", "1"));
            assertThat(changed.at("id")).isEqualTo(made.at("id"));
            assertThat(changed.at("fileHashes[0]")).isNotEqualTo(made.at("fileHashes[0]"));
            assertThat(drive.client().get("/v1/parts").each("source"))
                    .hasSize(2)
                    .containsOnly("storage2");
            for (String wrong : List.of(
                    "{\"url\":\"" + url + "/gone\",\"name\":\"a.stl\"}",
                    "{\"url\":\"ftp://127.0.0.1/there\",\"name\":\"a.stl\"}")) {
                assertThat(BuildContract.paths(drive.send("files", "f5", wrong)))
                        .containsExactly("url");
            }
            assertThat(BuildContract.paths(drive.send("files", "f6", file.formatted("foot.exe", "3"))))
                    .containsExactly("type");
            assertThat(BuildContract.paths(drive.send("files", "f6", file.formatted("../a.stl", "3"))))
                    .containsExactly("name");
            assertThat(drive.send("orders", "f7", order("E", "L")).status()).isEqualTo(409);
        } finally {
            server.stop(0);
        }
    }

    @Test
    default void deliveriesAreDeletedWithTheirIntegration() {
        Sender market = Sender.of(host(), "market1", "");
        Answer taken = market.send("orders", "msg_1", order("F-1", "L"));
        assertThat(market.client().delete("/v1/integrations/" + market.id()).status())
                .isEqualTo(200);
        assertThat(market.send("orders", "msg_1", order("F-1", "L")).status()).isEqualTo(401);
        assertThat(Stream.of(taken)
                        .map(each -> market.client().get("/v1/orders/" + each.at("order.id")))
                        .map(each -> each.at("integrationId")))
                .as("the order stays")
                .containsOnlyNulls();
    }
}
