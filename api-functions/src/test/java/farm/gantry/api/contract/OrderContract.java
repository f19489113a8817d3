package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests orders: accepted once, resolved to SKUs, printed in the ordered quantity, closed and cancelled. */
public interface OrderContract {
    Host host();

    private LampStore lampStore() {
        return LampStore.open(host());
    }

    @Test
    default void orderIsStoredWithCustomerAndItems() {
        LampStore lampStore = lampStore();
        Answer made = lampStore.ordered("""
                {"order": {"orderNumber": "1042", "price": 2990, "currency": "EUR", "note": "a present"},
                 "customer": {"name": "Ada", "email": "ada@example.com", "countryCode": "GB"},
                 "items": [{"externalSku": "LAMP-1", "quantity": 2}, {"externalSku": "NEVER-SEEN"}, {"title": "a card"}]}""");
        String order = String.valueOf(made.at("order.id"));
        assertThat(made.at("order.source")).isEqualTo("manual");
        assertThat(made.at("order.status")).isEqualTo("open");
        assertThat(made.at("order.customerId")).isEqualTo(made.at("customer.id"));
        assertThat(made.at("customer.name")).isEqualTo("Ada");
        assertThat(made.at("items[0].skuId")).isNotNull();
        assertThat(made.at("items[0].resolutionNote")).isNull();
        assertThat(made.at("items[0].processedStatus")).isEqualTo("unprocessed");
        assertThat(made.at("items[1].skuId")).isNull();
        assertThat(made.at("items[1].resolutionNote.type")).isEqualTo("sku_not_found");
        assertThat(made.at("items[1].resolutionNote.retriable")).isEqualTo(true);
        assertThat(made.at("items[2].title")).isEqualTo("a card");
        Answer whole = lampStore.of(order);
        assertThat(whole.at("items[0].id")).isEqualTo(made.at("items[0].id"));
        assertThat(whole.at("items[1].externalSku")).isEqualTo("NEVER-SEEN");
        assertThat(whole.at("customer.email")).isEqualTo("ada@example.com");
        assertThat(whole.at("progress.wanted")).hasToString("0");
        Answer only = lampStore.client().get("/v1/orders/" + order + "/only");
        assertThat(only.at("items")).isEqualTo("(absent)");
        assertThat(only.at("note")).isEqualTo("a present");
        assertThat(lampStore.client().get("/v1/orders/full").text()).isEqualTo("[" + whole.text() + "]");
        assertThat(lampStore.client().get("/v1/orders").at("[0].items")).isEqualTo("(absent)");
        assertThat(lampStore.client().get("/v1/orders/" + order + "/items").each("id"))
                .hasSize(3)
                .isEqualTo(lampStore.client().get("/v1/orders/items?sort=id").each("id"));
    }

    @Test
    default void orderAcceptsItsOwnResponse() {
        LampStore lampStore = lampStore();
        Client client = lampStore.client();
        String order = lampStore.order(1);
        String path = "/v1/orders/" + order;
        String items = client.get(path + "/items").text();
        Answer put = client.send(
                "PUT",
                path,
                Client.utf8("{\"order\":" + client.get(path + "/only").text() + ",\"items\":" + items + "}"));
        assertThat(put.status()).as(put.text()).isEqualTo(200);
        assertThat(client.get(path + "/items").each("id")).containsExactly(lampStore.item(order));
        Answer card = client.post(path + "/items", "{\"title\":\"a card\",\"ignored\":true}");
        Answer other = client.send(
                "PUT",
                path,
                Client.utf8(
                        "{\"items\":[{\"externalSku\":\"LAMP-1\"},{\"id\":\"%s\",\"externalSku\":\"LAMP-9\"},{\"id\":\"%s\",\"quantity\":4}]}"
                                .formatted(lampStore.item(order), card.at("id"))));
        assertThat(other.status()).as(other.text()).isEqualTo(200);
        assertThat(other.json().get("items").size()).isEqualTo(3);
        assertThat(other.at("items[0].id")).isEqualTo(lampStore.item(order));
        assertThat(other.at("items[0].externalSku")).isEqualTo("LAMP-9");
        assertThat(other.at("items[1].id")).isEqualTo(card.at("id"));
        assertThat(other.at("items[1].title")).isEqualTo("a card");
        assertThat(other.at("items[1].quantity")).hasToString("4");
        Answer item = client.get("/v1/orders/items/" + lampStore.item(order));
        Answer same = client.send("PUT", "/v1/orders/items/" + lampStore.item(order), Client.utf8(item.text()));
        assertThat(same.status()).as(same.text()).isEqualTo(200);
    }

    @Test
    default void listsAndSearchesEmbedItemsAndCustomers() {
        LampStore lampStore = lampStore();
        String order = lampStore.order(1);
        lampStore.order(1);
        lampStore.print(order);
        Answer found = lampStore
                .client()
                .post(
                        "/v1/orders/search",
                        "{\"filter\":{\"id\":\"" + order + "\"},\"include\":\"items.sku,customer,printJobs\"}");
        assertThat(found.at("meta.total")).hasToString("1");
        assertThat(found.at("data[0].items[0].sku.title")).isEqualTo("Lamp");
        assertThat(found.at("data[0].customer")).isNull();
        assertThat(found.at("data[0].printJobs[4].orderId")).isEqualTo(order);
        assertThat(lampStore
                        .client()
                        .get("/v1/print-jobs?include=order,orderItem")
                        .each("order.orderNumber"))
                .hasSize(LampStore.JOBS)
                .containsOnly("1042");
        assertThat(lampStore.client().get("/v1/sku-builds?include=order").at("[0].order.id"))
                .isEqualTo(order);
        assertThat(lampStore
                        .client()
                        .get("/v1/orders/items?include=order,sku&orderId=" + order)
                        .at("[0].sku.sku"))
                .isEqualTo("LAMP-1");
        String most = "?include=items.sku,integration,printJobs,printJobs.printer";
        Answer with = lampStore.client().get("/v1/orders/" + order + most);
        assertThat(with.at("items[0].sku.title")).as(with.text()).isEqualTo("Lamp");
        assertThat(with.at("customer")).isNotEqualTo("(absent)");
        assertThat(lampStore.client().get("/v1/orders/full" + most).at("[0].items[0].sku.title"))
                .isEqualTo("Lamp");
        assertThat(lampStore.client().get("/v1/orders?include=nonsense").status())
                .isEqualTo(400);
        assertThat(lampStore
                        .client()
                        .get("/v1/orders/" + SharedApi.unknownId() + "/items")
                        .status())
                .isEqualTo(404);
    }

    @Test
    default void allErrorsOfAnOrderAreReturned() {
        LampStore lampStore = lampStore();
        Answer refused = lampStore
                .client()
                .post(
                        "/v1/orders",
                        "{\"order\":{\"price\":9223372036854775807},\"customer\":{\"countryCode\":\"Britain\"},\"items\":[{\"quantity\":0},"
                                + "{\"quantity\":1,\"skuConfig\":{\"" + SharedApi.unknownId()
                                + "\":{\"quantity\":501}}}]}");
        assertThat(BuildContract.paths(refused).stream().map(String::valueOf))
                .contains("order.price", "customer.countryCode", "items[0].quantity")
                .anyMatch(path -> path.startsWith("items[1].skuConfig"));
        assertThat(BuildContract.paths(lampStore.client().post("/v1/orders", "{\"items\":[]}")))
                .contains("order");
        assertThat(BuildContract.paths(lampStore
                        .client()
                        .post("/v1/orders", "{\"order\":{\"integrationId\":\"" + SharedApi.unknownId() + "\"}}")))
                .containsExactly("order.integrationId");
        String none = "\"" + SharedApi.unknownId() + "\"";
        String item = "{\"quantity\":1,\"skuId\":" + none + "}";
        assertThat(BuildContract.paths(lampStore
                        .client()
                        .post(
                                "/v1/orders",
                                "{\"order\":{\"integrationId\":" + none
                                        + "},\"customer\":{\"name\":\"Ada\",\"integrationId\":" + none
                                        + "},\"items\":[{\"quantity\":0}," + item + "]}")))
                .containsExactly(
                        "order.integrationId", "customer.integrationId", "items[0].quantity", "items[1].skuId");
        assertThat(BuildContract.paths(lampStore
                        .client()
                        .post("/v1/orders", "{\"order\":{\"customerId\":" + none + "},\"items\":[" + item + "]}")))
                .containsExactly("order.customerId", "items[0].skuId");
        assertThat(lampStore.client().get("/v1/orders").each("id")).isEmpty();
        assertThat(lampStore.client().get("/v1/customers").each("id")).isEmpty();
    }

    @Test
    default void concurrentDeliveriesOfAnOrderCreateOne() throws Exception {
        LampStore lampStore = lampStore();
        String integration = lampStore.integration("{}");
        String body = delivery(integration, "A-1", "1042", 2);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> answers =
                    threads.invokeAll(Collections.nCopies(6, (Callable<Answer>) () -> lampStore.ordered(body)));
            List<Object> ids = Stream.of(answers.toArray(Future<?>[]::new))
                    .map(answer -> ((Answer) answer.resultNow()).at("order.id"))
                    .distinct()
                    .toList();
            assertThat(ids).hasSize(1);
        }
        assertThat(lampStore.client().get("/v1/orders").each("source")).containsExactly("market1");
        assertThat(lampStore.client().get("/v1/orders/items").each("id")).hasSize(1);
        assertThat(lampStore.client().get("/v1/orders/customers").each("name")).containsExactly("Ada");
        lampStore.ordered(delivery(lampStore.integration("{}"), "A-1", "1042", 2));
        lampStore.ordered(delivery(integration, "A-2", "1043", 2));
        assertThat(lampStore.client().get("/v1/orders").each("id")).as("others").hasSize(3);
    }

    private static String delivery(String integration, String externalId, String number, int lamps) {
        return """
                {"order": {"integrationId": "%s", "externalId": "%s", "orderNumber": "%s"},
                 "customer": {"name": "Ada", "externalId": "c-%s"},
                 "items": [{"externalId": "l-1", "externalSku": "LAMP-1", "quantity": %d}]}""".formatted(integration, externalId, number, externalId, lamps);
    }

    @Test
    default void itemsOfALargeOrderAreReplacedWithoutDuplicates() {
        LampStore lampStore = lampStore();
        String items = Stream.generate(() -> "{\"title\":\"a card\",\"ignored\":true}")
                .limit(1001)
                .collect(Collectors.joining(",", "\"items\":[", "]"));
        String order =
                String.valueOf(lampStore.ordered("{\"order\":{}," + items + "}").at("order.id"));
        Client client = lampStore.client().with("content-type", "application/json");
        Answer put = client.send("PUT", "/v1/orders/" + order, Client.utf8("{\"order\":{}," + items + "}"));
        assertThat(put.status()).as(put.text()).isEqualTo(200);
        assertThat(put.at("items[1000].title")).isEqualTo("a card");
        assertThat(client.get("/v1/orders/items?meta=true&limit=1&orderId=" + order)
                        .at("meta.total"))
                .hasToString("1001");
        client.send("PUT", "/v1/orders/" + order, Client.utf8("{\"items\":[]}"));
        assertThat(client.get("/v1/orders/items?orderId=" + order).each("id")).isEmpty();
    }

    @Test
    default void onlyAChangedDeliveryChangesTheOrder() {
        LampStore lampStore = lampStore();
        String integration = lampStore.integration("{}");
        Answer first = lampStore.ordered(delivery(integration, "A-1", "1042", 2));
        String order = String.valueOf(first.at("order.id"));
        lampStore.client().patch("/v1/orders/" + order, "{\"note\":\"call first\"}");
        lampStore.ordered(delivery(integration, "A-1", "1042", 2));
        assertThat(lampStore.of(order).at("note")).isEqualTo("call first");
        Answer changed = lampStore.ordered(delivery(integration, "A-1", "1042b", 5));
        assertThat(changed.at("order.id")).isEqualTo(order);
        assertThat(changed.at("order.orderNumber")).isEqualTo("1042b");
        assertThat(changed.at("order.note")).isEqualTo("call first");
        assertThat(changed.at("items[0].id")).isEqualTo(first.at("items[0].id"));
        assertThat(changed.at("items[0].quantity")).hasToString("5");
        Answer put = lampStore
                .client()
                .with("content-type", "application/json")
                .send("PUT", "/v1/orders/" + order, Client.utf8("""
                        {"order": {"note": null}, "customer": {"phone": "123"},
                         "items": [{"externalSku": "LAMP-1", "quantity": 1}, {"title": "a card", "ignored": true}]}"""));
        assertThat(put.status()).as(put.text()).isEqualTo(200);
        assertThat(put.at("order.note")).isNull();
        assertThat(put.at("customer.name")).isEqualTo("Ada");
        assertThat(put.at("customer.phone")).isEqualTo("123");
        assertThat(put.at("items[0].id")).isEqualTo(first.at("items[0].id"));
        assertThat(put.at("items[1].title")).isEqualTo("a card");
    }

    @Test
    default void itemsWithSkusArePrintedBesideUnresolvedItems() {
        LampStore lampStore = lampStore();
        Answer made = lampStore.ordered("{\"order\":{},\"items\":[{\"title\":\"a card\"},{\"externalSku\":\"CARD-9\"},"
                + LampStore.lamps(1) + "]}");
        String sku = String.valueOf(made.at("items[2].skuId"));
        Answer printed = lampStore.client().post("/v1/orders/print", "{\"skuIds\":[\"" + sku + "\"]}");
        assertThat(printed.status()).as(printed.text()).isEqualTo(201);
        assertThat(lampStore.jobs(String.valueOf(made.at("order.id")), "")).hasSize(5);
    }

    @Test
    default void ordersArePrintedOnlyOnPrintersWithTheRequestedTags() {
        LampStore lampStore = lampStore();
        String order = lampStore.order(1);
        String linked = String.valueOf(
                lampStore.client().get("/v1/linked-parts?label=foot").at("[0].id"));
        lampStore
                .client()
                .patch(
                        "/v1/orders/items/" + lampStore.item(order),
                        "{\"skuConfig\":{\"" + linked
                                + "\":{\"tags\":{\"printer.id\":\"=a\",\"filament.type\":\"PLA\"}}}}");
        String request = "{\"orderIds\":[\"" + order + "\"],\"printerTags\":{\"printer.%s\":\"=b\"}}";
        Answer refused = lampStore.client().post("/v1/orders/print", request.formatted("name"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("printerTags.printer.name");
        assertThat(lampStore.jobs(order, "")).isEmpty();
        assertThat(lampStore
                        .client()
                        .post("/v1/orders/print", request.formatted("id"))
                        .at("queued"))
                .hasToString("5");
        assertThat(lampStore
                        .client()
                        .get("/v1/print-jobs?fields=requiredPrinterTags&linkedPartId=" + linked)
                        .text())
                .isEqualTo("[{\"requiredPrinterTags\":{\"filament.type\":\"PLA\",\"printer.id\":\"=b\"}},"
                        + "{\"requiredPrinterTags\":{\"filament.type\":\"PLA\",\"printer.id\":\"=b\"}}]");
        assertThat(lampStore
                        .client()
                        .get("/v1/print-jobs?fields=requiredPrinterTags&linkedPartId.ne=" + linked)
                        .text())
                .isEqualTo("["
                        + String.join(",", Collections.nCopies(3, "{\"requiredPrinterTags\":{\"printer.id\":\"=b\"}}"))
                        + "]");
        lampStore.resize(order, 2);
        lampStore.client().post("/v1/orders/print", request.formatted("id"));
        assertThat(lampStore.client().get("/v1/print-jobs").each("requiredPrinterTags"))
                .hasSize(10)
                .allMatch(tags -> String.valueOf(tags).contains("printer.id==b"));
    }

    @Test
    default void errorsOfAnOrderChangeAreNamed() {
        LampStore lampStore = lampStore();
        String path = "/v1/orders/" + lampStore.order(1);
        Client put = lampStore.client().with("content-type", "application/json");
        assertThat(put.send("PUT", path, Client.utf8("0.1")).status()).isEqualTo(400);
        Answer source = put.send("PUT", path, Client.utf8("{\"order\":{\"source\":\"NaN\"}}"));
        assertThat(source.at("details[0].path")).isEqualTo("order.source");
        Answer item = lampStore.client().post(path + "/items", "{\"title\":\"a card\",\"orderId\":5}");
        assertThat(item.at("details[0].path")).isEqualTo("orderId");
        Answer inside = lampStore.client().post("/v1/orders", "{\"order\":{},\"items\":[{\"orderId\":5}]}");
        assertThat(inside.at("details[0].path")).isEqualTo("items[0].orderId");
        String market = lampStore.integration("{}");
        Answer relayed = lampStore
                .client()
                .post(
                        "/v1/orders",
                        "{\"order\":{\"integrationId\":\"" + market + "\"},\"items\":[{\"orderId\":\"A-1\"}]}");
        assertThat(relayed.at("details[0].path")).isEqualTo("items[0].orderId");
        Answer number = lampStore.client().post("/v1/orders", "{\"order\":{\"orderNumber\":null}}");
        assertThat(number.at("details[0].path")).isEqualTo("order.orderNumber");
        assertThat(lampStore.of(path.substring("/v1/orders/".length())).status())
                .isEqualTo(200);
    }

    @Test
    default void ignoredSkuTextsAreNotPrinted() {
        LampStore lampStore = lampStore();
        Answer stored = lampStore.client().patch("/v1/orders/ignored-skus", "{\"skus\":[\"GIFT\",\"CARD\",\"GIFT\"]}");
        assertThat(stored.at("skus")).hasToString("[CARD, GIFT]");
        assertThat(lampStore.client().get("/v1/orders/ignored-skus").text()).isEqualTo(stored.text());
        assertThat(lampStore
                        .client()
                        .post("/v1/orders/ignored-skus/check", "{\"skus\":[\"LAMP-1\",\"GIFT\"]}")
                        .at("ignored"))
                .hasToString("[GIFT]");
        Answer made =
                lampStore.ordered("{\"order\":{},\"items\":[{\"externalSku\":\"GIFT\"}," + LampStore.lamps(1) + "]}");
        assertThat(made.at("items[0].ignored")).isEqualTo(true);
        assertThat(made.at("items[1].ignored")).isEqualTo(false);
        Answer printed = lampStore.print(String.valueOf(made.at("order.id")));
        assertThat(printed.at("queued")).hasToString("5");
        assertThat(printed.at("orders[0].problems")).hasToString("[]");
    }

    @Test
    default void itemIsResolvedOnceItsSkuExists() {
        LampStore lampStore = lampStore();
        String order = String.valueOf(lampStore
                .ordered("{\"order\":{},\"items\":[{\"externalSku\":\"VASE\"}]}")
                .at("order.id"));
        Answer refused = lampStore.print(order);
        assertThat(refused.at("queued")).hasToString("0");
        assertThat(refused.at("orders[0].problems[0].message")).asString().contains("VASE");
        lampStore.sku(
                "VASE", LampStore.linked(ReadyParts.uploaded(lampStore.store(), lampStore.client()), "vase", 3, ""));
        Answer understood = lampStore.print(order);
        assertThat(understood.at("queued")).as(understood.text()).hasToString("3");
        assertThat(lampStore.of(order).at("items[0].resolutionNote")).isNull();
        lampStore.client().patch("/v1/orders/items/" + lampStore.item(order), "{\"externalSku\":\"LAMP-1\"}");
        Answer lamp = lampStore.print(order);
        assertThat(lamp.at("queued")).hasToString("5");
        assertThat(lamp.at("cancelled")).hasToString("3");
    }

    @Test
    default void ambiguousSkuTextIsPrintedOnceItIsUnambiguous() {
        LampStore lampStore = lampStore();
        Client client = lampStore.client();
        String part = LampStore.linked(ReadyParts.uploaded(lampStore.store(), client), "sign", 1, "");
        String option = client.made("/v1/sku-options", "{\"name\":\"look\"}");
        client.made(
                "/v1/sku-option-values",
                "{\"optionId\":\"" + option + "\",\"name\":\"r\",\"skuSuffixes\":[\"-M-RED\",\"-RED\"]}");
        for (String sku : List.of("SIGN", "SIGN-M")) {
            client.made(
                    "/v1/sku-option-bindings",
                    "{\"optionId\":\"" + option + "\",\"skuId\":\"" + lampStore.sku(sku, part) + "\",\"order\":1}");
        }
        Answer made = lampStore.ordered("{\"order\":{},\"items\":[{\"externalSku\":\"SIGN-M-RED\"}]}");
        String order = String.valueOf(made.at("order.id"));
        assertThat(made.at("items[0].skuId")).isNull();
        assertThat(made.at("items[0].resolutionNote.type")).isEqualTo("ambiguous_match");
        assertThat(made.at("items[0].resolutionNote.retriable")).isEqualTo(true);
        Answer refused = lampStore.print(order);
        assertThat(refused.at("queued")).hasToString("0");
        assertThat(refused.at("orders[0].problems[0].message")).asString().contains("SIGN-M-RED");
        String exact = lampStore.sku("SIGN-M-RED", part);
        assertThat(lampStore.print(order).at("queued")).hasToString("1");
        assertThat(lampStore.of(order).at("items[0].skuId")).isEqualTo(exact);
        assertThat(lampStore.of(order).at("items[0].resolutionNote")).isNull();
    }

    @Test
    default void printQueuesMissingJobsAndCancelsSurplusOnes() {
        LampStore lampStore = lampStore();
        String order = lampStore.order(2);
        assertThat(lampStore.print(order).at("orders[0].queued")).hasToString("10");
        assertThat(lampStore.progress(order)).isEqualTo("10 10 0 0 0");
        assertThat(lampStore.of(order).at("items[0].processedStatus")).isEqualTo("processed");
        assertThat(lampStore.of(order).at("processedAt")).isNotNull();
        String before = lampStore.of(order).text();
        Answer again = lampStore.print(order);
        assertThat(again.at("queued")).hasToString("0");
        assertThat(again.at("cancelled")).hasToString("0");
        assertThat(lampStore.of(order).text()).isEqualTo(before);
        lampStore.resize(order, 3);
        assertThat(lampStore.print(order).at("queued")).hasToString("5");
        lampStore.resize(order, 1);
        assertThat(lampStore.print(order).at("cancelled")).hasToString("10");
        assertThat(lampStore
                        .client()
                        .get("/v1/print-jobs?status=pending&sort=queueOrder&orderId=" + order)
                        .each("label"))
                .containsExactlyInAnyOrder("foot", "foot", "shade", "shade", "shade");
        String one = lampStore
                .jobs(order, "&status=pending&extensions.3mf.plateId=3")
                .getFirst();
        lampStore.client().patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + one + "\"]}");
        assertThat(lampStore.print(order).at("queued")).hasToString("1");
        assertThat(lampStore.jobs(order, "&status=pending&extensions.3mf.plateId=3"))
                .hasSize(2);
        assertThat(lampStore
                        .client()
                        .patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + one + "\"]}")
                        .text())
                .as("its slot is occupied")
                .isEqualTo("[]");
    }

    @Test
    default void waitingJobsAreCancelledWhenTheItemChanges() {
        LampStore lampStore = lampStore();
        String order = lampStore.order(1);
        lampStore.print(order);
        String item = lampStore.item(order);
        String linked = String.valueOf(
                lampStore.client().get("/v1/linked-parts?label=foot").at("[0].id"));
        lampStore
                .client()
                .patch(
                        "/v1/orders/items/" + item,
                        "{\"skuConfig\":{\"" + linked + "\":{\"label\":\"red foot\",\"quantity\":1}}}");
        assertThat(lampStore.of(order).at("items[0].processedStatus")).isEqualTo("unprocessed");
        Answer printed = lampStore.print(order);
        assertThat(printed.at("cancelled")).hasToString("5");
        assertThat(printed.at("queued")).hasToString("4");
        assertThat(lampStore
                        .client()
                        .get("/v1/print-jobs?status=pending&orderId=" + order)
                        .each("label"))
                .containsExactlyInAnyOrder("red foot", "shade", "shade", "shade");
        assertThat(lampStore.client().delete("/v1/orders/items/" + item).status())
                .isEqualTo(200);
        assertThat(lampStore.jobs(order, "&status=pending")).isEmpty();
    }

    @Test
    default void orderIsCancelledClosedAndReopened() {
        LampStore lampStore = lampStore();
        String order = lampStore.order(1);
        lampStore.print(order);
        Answer cancelled = lampStore.client().post("/v1/orders/" + order + "/cancel", "");
        assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(201);
        assertThat(cancelled.at("status")).isEqualTo("closed");
        assertThat(cancelled.at("cancelledAt")).isNotNull();
        assertThat(lampStore.client().get("/v1/print-jobs?orderId=" + order).each("status"))
                .containsOnly("Cancelled");
        assertThat(lampStore.print(order).at("orders")).hasToString("[]");
        String other = lampStore.order(1);
        String both = "{\"orderIds\":[\"" + order + "\",\"" + other + "\"]}";
        assertThat(lampStore.client().patch("/v1/orders/batch/close", both).each("status"))
                .containsOnly("closed");
        assertThat(lampStore.client().patch("/v1/orders/batch/reopen", both).each("status"))
                .containsOnly("open");
        assertThat(lampStore.of(order).at("cancelledAt")).isNull();
        assertThat(lampStore.client().post("/v1/orders/print", "{}").at("queued"))
                .hasToString("10");
        assertThat(lampStore.client().patch("/v1/orders/batch/cancel", both).each("status"))
                .containsOnly("closed");
        Answer unknown = lampStore
                .client()
                .patch("/v1/orders/batch/close", "{\"orderIds\":[\"" + SharedApi.unknownId() + "\"]}");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(lampStore.client().delete("/v1/orders/" + order).status()).isEqualTo(200);
        assertThat(lampStore.client().get("/v1/orders/items?orderId=" + order).each("id"))
                .isEmpty();
    }

    @Test
    default void optionsChosenByTheSkuTextAreStoredWithTheItem() {
        LampStore lampStore = lampStore();
        String part = LampStore.linked(ReadyParts.uploaded(lampStore.store(), lampStore.client()), "sign", 1, "");
        String option = lampStore.client().made("/v1/sku-options", "{\"name\":\"size\"}");
        String value = lampStore
                .client()
                .made(
                        "/v1/sku-option-values",
                        "{\"optionId\":\"" + option + "\",\"name\":\"M\",\"skuSuffixes\":[\"-M\"],\"order\":1}");
        String sku = lampStore.sku("SIGN", part);
        lampStore
                .client()
                .made(
                        "/v1/sku-option-bindings",
                        "{\"optionId\":\"" + option + "\",\"skuId\":\"" + sku + "\",\"order\":1}");
        Answer made = lampStore.ordered(
                "{\"order\":{},\"items\":[{\"externalSku\":\"SIGN-M\",\"personalization\":\"Ada\"}]}");
        assertThat(made.at("items[0].skuId")).isEqualTo(sku);
        assertThat(made.at("items[0].optionValueIds")).hasToString("[" + value + "]");
        assertThat(made.at("items[0].personalization")).isEqualTo("Ada");
        Answer chosen = lampStore.ordered(
                "{\"order\":{},\"items\":[{\"externalSku\":\"SIGN\",\"optionValueIds\":[\"" + value + "\"]}]}");
        assertThat(chosen.at("items[0].skuId")).isEqualTo(sku);
        assertThat(chosen.at("items[0].optionValueIds")).hasToString("[" + value + "]");
    }

    @Test
    default void itemsOfAnOrderAreChangedIndividuallyInOneRequest() {
        LampStore lampStore = lampStore();
        Answer made =
                lampStore.ordered("{\"order\":{},\"items\":[" + LampStore.lamps(1) + "," + LampStore.lamps(2) + "]}");
        String order = String.valueOf(made.at("order.id"));
        String update = "{\"updates\":[{\"id\":\"%s\",\"quantity\":7},{\"id\":\"%s\",\"ignored\":true}]}";
        Answer changed = lampStore
                .client()
                .patch(
                        "/v1/orders/" + order + "/items/batch",
                        update.formatted(made.at("items[0].id"), made.at("items[1].id")));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.each("quantity")).containsExactly("7", "2");
        assertThat(changed.each("ignored")).containsExactly("false", "true");
        Answer refused = lampStore
                .client()
                .patch(
                        "/v1/orders/" + order + "/items/batch",
                        update.formatted(made.at("items[0].id"), lampStore.item(lampStore.order(1))));
        assertThat(BuildContract.paths(refused)).containsExactly("updates[1].id");
        String unknown = "\"skuId\":\"" + SharedApi.unknownId() + "\"";
        assertThat(BuildContract.paths(lampStore
                        .client()
                        .patch(
                                "/v1/orders/" + order + "/items/batch",
                                "{\"updates\":[{\"id\":\"%s\",\"quantity\":0},{\"id\":\"%s\",%s},{}]}"
                                        .formatted(made.at("items[0].id"), made.at("items[1].id"), unknown))))
                .containsExactlyInAnyOrder("updates[0].quantity", "updates[1].skuId", "updates[2].id");
        Answer put = lampStore
                .client()
                .send(
                        "PUT",
                        "/v1/orders/" + order,
                        Client.utf8("{\"items\":[" + LampStore.lamps(7) + ",{\"quantity\":1," + unknown + "}]}"));
        assertThat(BuildContract.paths(put)).containsExactly("items[1].skuId");
        for (String none : List.of("{}", "{\"updates\":[]}", "{\"updates\":[" + "{},".repeat(1000) + "{}]}")) {
            assertThat(BuildContract.paths(lampStore.client().patch("/v1/orders/" + order + "/items/batch", none)))
                    .containsExactly("updates");
        }
        Answer added = lampStore.client().post("/v1/orders/" + order + "/items", LampStore.lamps(3));
        assertThat(added.status()).as(added.text()).isEqualTo(201);
        assertThat(added.at("orderId")).isEqualTo(order);
        assertThat(added.at("skuId")).isNotNull();
    }

    @Test
    default void orderOperationsNeedTheirPermissions() {
        LampStore lampStore = lampStore();
        String order = lampStore.order(1);
        Client limited = lampStore.client().permitted("order.view", "order.edit");
        assertThat(limited.get("/v1/orders/" + order).status()).isEqualTo(200);
        assertThat(limited.get("/v1/orders?include=printJobs").status()).isEqualTo(403);
        assertThat(limited.post("/v1/orders/print", "{}").status()).isEqualTo(403);
        LampStore stranger = lampStore();
        Answer foreign = stranger.of(order);
        assertThat(foreign.status()).isEqualTo(404);
        assertThat(stranger.client()
                        .post("/v1/orders/print", "{\"orderIds\":[\"" + order + "\"]}")
                        .at("missing"))
                .hasToString("[" + order + "]");
        assertThat(stranger.client().post("/v1/orders/" + order + "/cancel", "").status())
                .isEqualTo(404);
    }

    @Test
    default void nonStringExternalIdIsOneError() {
        Answer refused = lampStore().client().post("/v1/orders", "{\"order\":{\"externalId\":1042},\"items\":[]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("order.externalId");
        assertThat(refused.at("message")).isEqualTo("externalId must be a string");
    }

    @Test
    default void invalidIntegrationIdAndUnknownSourceAreErrors() {
        Client client = lampStore().client();
        assertThat(client.post("/v1/orders", "{\"order\":{\"externalId\":\"1\",\"integrationId\":\"\\u0000\"}}")
                        .at("details[0].path"))
                .isEqualTo("order.integrationId");
        String shop = client.made("/v1/integrations", "{\"name\":\"Shop\",\"type\":\"market1\"}");
        String order = "{\"order\":{\"integrationId\":\"" + shop + "\",\"source\":\"%s\"}}";
        assertThat(client.post("/v1/orders", order.formatted("market9")).at("details[0].path"))
                .isEqualTo("order.source");
        assertThat(client.post("/v1/orders", order.formatted("market2")).at("order.source"))
                .isEqualTo("market1");
    }

    @Test
    default void nullPartConfigurationIsAnError() {
        LampStore lampStore = lampStore();
        Answer refused = lampStore
                .client()
                .post(
                        "/v1/orders/items",
                        "{\"orderId\":\"" + lampStore.order(1) + "\",\"skuConfig\":{\"" + "a".repeat(24) + "\":null}}");
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).asString().startsWith("skuConfig." + "a".repeat(24));
    }
}
