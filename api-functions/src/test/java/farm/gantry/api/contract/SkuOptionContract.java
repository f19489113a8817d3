package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.sku.SkuResolver;
import farm.gantry.sku.SkuMatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests options of SKUs: the choices of buyers, and the SKU and choice that a marketplace's text means. */
public interface SkuOptionContract extends BulkContract {
    @Override
    default String path() {
        return "/v1/sku-options";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\"}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of("isPersonalization", false);
    }

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    /** A store that sells the SKU SIGN in the sizes S and M, and in red and blue. */
    record Signs(SharedApi.Store store, Client client, Map<String, String> ids) {
        static Signs of(Host host) {
            SharedApi.Store store = SharedApi.newStore();
            Client client = Client.of(host, store.key());
            Map<String, String> ids = new HashMap<>();
            Signs signs = new Signs(store, client, ids);
            ids.put("SIGN", client.made("/v1/skus", "{\"sku\":\"SIGN\",\"title\":\"Sign\",\"linkedParts\":[]}"));
            for (String option : List.of("size", "colour")) {
                ids.put(option, client.made("/v1/sku-options", "{\"name\":\"" + option + "\"}"));
                ids.put(option + " of SIGN", signs.bound("SIGN", option));
            }
            signs.value("size", "S", "\"-S\"");
            signs.value("size", "M", "\"-M\",\"-MEDIUM\"");
            signs.value("colour", "red", "\"RED\"");
            signs.value("colour", "blue", "\"BLUE\"");
            return signs;
        }

        String id(String name) {
            return Objects.requireNonNull(ids.get(name), name);
        }

        String bound(String sku, String option) {
            return client.made(
                    "/v1/sku-option-bindings",
                    "{\"skuId\":\"" + id(sku) + "\",\"optionId\":\"" + id(option) + "\",\"order\":"
                            + (option.equals("size") ? 1 : 2) + "}");
        }

        void value(String option, String name, String suffixes) {
            ids.put(
                    name,
                    client.made(
                            "/v1/sku-option-values",
                            "{\"optionId\":\"" + id(option) + "\",\"name\":\"" + name + "\",\"skuSuffixes\":["
                                    + suffixes + "]}"));
        }

        Answer filter(String option, String value) {
            return client.post(
                    "/v1/sku-option-value-filters",
                    "{\"bindingId\":\"" + id(option + " of SIGN") + "\",\"skuId\":\"" + id("SIGN")
                            + "\",\"optionId\":\"" + id(option) + "\",\"optionValueId\":\"" + id(value) + "\"}");
        }

        /** Creates a property of SIGN that depends on one or two of its options. */
        String property(String option, @Nullable String second, String type) {
            return client.made(
                    "/v1/sku-option-properties",
                    "{\"optionId\":\"%s\",\"bindingId\":\"%s\",\"bindingId2\":%s,\"name\":\"p\",\"type\":\"%s\"}"
                            .formatted(
                                    id(option),
                                    id(option + " of SIGN"),
                                    second == null ? null : "\"" + id(second + " of SIGN") + "\"",
                                    type));
        }

        void propertyValue(String property, String value, @Nullable String second, String member) {
            client.made(
                    "/v1/sku-option-property-values",
                    "{\"propertyId\":\"%s\",\"optionValueId\":\"%s\",\"optionValueId2\":%s,%s}"
                            .formatted(property, id(value), second == null ? null : "\"" + id(second) + "\"", member));
        }

        Map<String, SkuMatch> resolved(String... texts) {
            return SharedApi.bean(Database.class)
                    .in(store.id(), tx -> SharedApi.bean(SkuResolver.class).resolve(tx, List.of(texts)));
        }

        SkuMatch chosen(String... values) {
            return new SkuMatch.Resolved(
                    id("SIGN"), List.of(values).stream().map(this::id).toList());
        }
    }

    @Test
    default void skuTextIsTheSkuAndSuffixesOfItsOptionValues() {
        Signs signs = Signs.of(host());
        signs.client().made("/v1/skus", "{\"sku\":\"SIGN-S-RED\",\"title\":\"Red\",\"linkedParts\":[]}");
        Map<String, SkuMatch> resolved =
                signs.resolved("SIGN", "SIGN-MEDIUM-RED", "SIGN_BLUE-M", "SIGN-S-RED", "SIGN-XL", "LAMP", "");
        assertThat(resolved.get("SIGN")).isEqualTo(signs.chosen());
        assertThat(resolved.get("SIGN-MEDIUM-RED")).isEqualTo(signs.chosen("M", "red"));
        assertThat(resolved.get("SIGN_BLUE-M")).isEqualTo(signs.chosen("M", "blue"));
        assertThat(resolved.get("SIGN-S-RED"))
                .as("exactly a SKU")
                .isInstanceOfSatisfying(
                        SkuMatch.Resolved.class,
                        sku -> assertThat(sku.optionValueIds()).isEmpty());
        assertThat(List.of("SIGN-XL", "LAMP", "")).allMatch(each -> resolved.get(each) instanceof SkuMatch.NotFound);
        signs.value("size", "Mega", "\"-M\"");
        assertThat(signs.resolved("SIGN-M").get("SIGN-M")).isInstanceOf(SkuMatch.Ambiguous.class);
        assertThat(Signs.of(host()).resolved("SIGN-MEDIUM-RED").values()).isNotEqualTo(resolved.values());
    }

    @Test
    default void onlyValuesAllowedByFiltersAreSold() {
        Signs signs = Signs.of(host());
        assertThat(signs.filter("colour", "red").status()).isEqualTo(201);
        assertThat(signs.resolved("SIGN-RED").get("SIGN-RED"))
                .as("a filter without a mode")
                .isEqualTo(signs.chosen("red"));
        for (String mode : List.of("inclusion", "exclusion")) {
            signs.client()
                    .patch(
                            "/v1/sku-option-bindings/" + signs.id("colour of SIGN"),
                            "{\"filterMode\":\"" + mode + "\"}");
            boolean included = mode.equals("inclusion");
            assertThat(signs.resolved(included ? "SIGN-RED" : "SIGN-BLUE").values())
                    .containsExactly(signs.chosen(included ? "red" : "blue"));
            assertThat(signs.resolved(included ? "SIGN-BLUE" : "SIGN-RED").values())
                    .containsExactly(new SkuMatch.NotFound());
        }
        assertThat(signs.filter("colour", "red").status()).as("once").isEqualTo(409);
        Answer refused = signs.client()
                .post(
                        "/v1/sku-option-value-filters",
                        "{\"bindingId\":\"%s\",\"skuId\":\"%s\",\"optionId\":\"%s\",\"optionValueId\":\"%s\"}"
                                .formatted(
                                        signs.id("colour of SIGN"),
                                        signs.client()
                                                .made("/v1/skus", "{\"sku\":\"O\",\"title\":\"O\",\"linkedParts\":[]}"),
                                        signs.id("size"),
                                        signs.id("blue")));
        assertThat(BuildContract.paths(refused)).containsExactlyInAnyOrder("skuId", "optionId", "optionValueId");
    }

    @Test
    default void thousandsOfCombinationsNeedFewRows() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String sku = client.made("/v1/skus", "{\"sku\":\"CASE\",\"title\":\"Case\",\"linkedParts\":[]}");
        for (int option = 0; option < 4; option++) {
            String id = client.made("/v1/sku-options", "{\"name\":\"o" + option + "\"}");
            client.made("/v1/sku-option-bindings", "{\"skuId\":\"" + sku + "\",\"optionId\":\"" + id + "\"}");
            for (int value = 0; value < 10; value++) {
                client.made(
                        "/v1/sku-option-values",
                        "{\"optionId\":\"" + id + "\",\"name\":\"v\",\"skuSuffixes\":[\"-" + "ABCD".charAt(option)
                                + value + "\"]}");
            }
        }
        List<String> texts = IntStream.range(0, 10_000)
                .mapToObj(i -> "CASE-A%d-B%d-C%d-D%d".formatted(i / 1000, i / 100 % 10, i / 10 % 10, i % 10))
                .toList();
        assertThat(new Signs(store, client, Map.of())
                        .resolved(texts.toArray(String[]::new)).values().stream()
                                .distinct())
                .hasSize(10_000)
                .allMatch(each -> each instanceof SkuMatch.Resolved(String id, List<String> values)
                        && id.equals(sku)
                        && values.size() == 4);
    }

    @Test
    default void propertyValuesAreBoundWithinOneSku() {
        Signs signs = Signs.of(host());
        String property = "{\"optionId\":\"%s\",\"bindingId\":\"%s\",\"bindingId2\":%s,\"name\":\"p\",\"type\":\"%s\"}";
        String size = signs.id("size");
        String ofSize = signs.id("size of SIGN");
        String ofColour = "\"" + signs.id("colour of SIGN") + "\"";
        String made = signs.client()
                .made("/v1/sku-option-properties", property.formatted(size, ofSize, ofColour, "plate_quantities"));
        signs.ids().put("lamp", signs.client().made("/v1/skus", "{\"sku\":\"L\",\"title\":\"L\",\"linkedParts\":[]}"));
        String others = "\"" + signs.bound("lamp", "colour") + "\"";
        String path = "/v1/sku-option-properties";
        assertThat(BuildContract.paths(
                        signs.client().post(path, property.formatted(signs.id("colour"), ofSize, others, "text"))))
                .containsExactlyInAnyOrder("optionId", "bindingId2");
        assertThat(BuildContract.paths(
                        signs.client().post(path, property.formatted(size, ofSize, "\"" + ofSize + "\"", "text"))))
                .containsExactly("bindingId2");
        signs.ids()
                .put(
                        "engraving",
                        signs.client().made("/v1/sku-options", "{\"name\":\"engraving\",\"isPersonalization\":true}"));
        String engraving = signs.bound("SIGN", "engraving");
        assertThat(BuildContract.paths(signs.client()
                        .post(path, property.formatted(signs.id("engraving"), engraving, "null", "material"))))
                .containsExactly("type");
        assertThat(BuildContract.paths(signs.client()
                        .post(
                                "/v1/sku-option-values",
                                "{\"optionId\":\"" + signs.id("engraving") + "\",\"name\":\"Ada\"}")))
                .containsExactly("optionId");
        String value = "{\"propertyId\":\"" + made + "\",\"optionValueId\":\"%s\"%s}";
        String values = "/v1/sku-option-property-values";
        assertThat(BuildContract.paths(
                        signs.client().post(values, value.formatted(signs.id("red"), ",\"textValue\":\"x\""))))
                .containsExactlyInAnyOrder("optionValueId", "optionValueId2", "textValue", "plateQuantitiesValue");
        String both = ",\"optionValueId2\":\"" + signs.id("red") + "\",\"plateQuantitiesValue\":{\"1\":2}";
        String unchanged = signs.client().made(values, value.formatted(signs.id("M"), both));
        assertThat(signs.client()
                        .post(values, value.formatted(signs.id("M"), both))
                        .status())
                .as("each combination once")
                .isEqualTo(409);
        assertThat(signs.client()
                        .get("/v1/sku-options?include=values&name=size")
                        .at("[0].values[1].skuSuffixes[1]"))
                .isEqualTo("-MEDIUM");
        assertThat(signs.client().delete("/v1/sku-options/" + size).status())
                .as("SIGN is sold with it")
                .isEqualTo(409);
        assertThat(signs.client().delete("/v1/skus/" + signs.id("SIGN")).status())
                .isEqualTo(200);
        assertThat(signs.client().get(values + "/" + unchanged).status())
                .as("records of the SKU are deleted with it")
                .isEqualTo(404);
        assertThat(signs.client().delete("/v1/sku-options/" + size).status()).isEqualTo(200);
    }

    @Test
    default void optionsNeedThePermissionsOfSkus() {
        Client client = owner();
        Client viewer = client.permitted("sku.view");
        for (String path : List.of(
                "options",
                "option-values",
                "option-bindings",
                "option-value-filters",
                "option-properties",
                "option-property-values")) {
            assertThat(viewer.get("/v1/sku-" + path).status()).isEqualTo(200);
            assertThat(viewer.delete("/v1/sku-" + path + "/" + SharedApi.unknownId())
                            .at("details[0].path"))
                    .isEqualTo("sku.delete");
        }
    }
}
