package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.contract.SkuOptionContract.Signs;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how a buyer's choice of options changes the linked parts of a SKU. */
public interface SkuChoiceContract {
    Host host();

    /** A SKU of signs: the size determines the width, both options the plates, and the colour the filament. */
    record BoundSigns(Signs signs, String linkedPart, String width) {
        static BoundSigns of(Host host) {
            Signs signs = Signs.of(host);
            Client client = signs.client();
            signs.ids().put("engraving", client.made("/v1/sku-options", "{\"name\":\"e\",\"isPersonalization\":true}"));
            signs.ids().put("engraving of SIGN", signs.bound("SIGN", "engraving"));
            String width = signs.property("size", null, "text");
            signs.propertyValue(width, "S", null, "\"textValue\":\"12.5\"");
            signs.propertyValue(width, "M", null, "\"textValue\":\"25\"");
            String filament = signs.property("colour", null, "material");
            signs.propertyValue(filament, "red", null, "\"materialValue\":[{\"materialType\":\"PETG\"}]");
            signs.propertyValue(filament, "blue", null, "\"materialValue\":[{\"materialType\":\"PLA\"}]");
            String plates = signs.property("size", "colour", "plate_quantities");
            signs.propertyValue(plates, "M", "red", "\"plateQuantitiesValue\":{\"2\":3,\"3\":0}");
            String text = signs.property("engraving", null, "text");
            String part = ReadyParts.project(signs.store(), client, "gcode3mf", """
                    ,"parameters":[{"name":"width","type":"number","min":10,"max":50},{"name":"text","type":"string"}]""");
            Answer changed =
                    client.patch("/v1/skus/" + signs.id("SIGN"), """
                    {"linkedParts":[{"partId":"%s","label":"plate","quantity":2,"parameters":[],"exposedParameters":[],
                      "parameterBindings":{"width":"%s","materials.0":"%s","text":"%s"},"plateQuantitiesBinding":"%s"}]}
                    """.formatted(part, width, filament, text, plates));
            assertThat(changed.status()).as(changed.text()).isEqualTo(200);
            return new BoundSigns(signs, String.valueOf(changed.at("linkedParts[0].id")), width);
        }

        /** Returns the fields of a body that choose these values. */
        String chosen(String... values) {
            return "\"optionValueIds\":["
                    + String.join(
                            ",",
                            List.of(values).stream()
                                    .map(value -> "\"" + signs.id(value) + "\"")
                                    .toList())
                    + "]";
        }

        Answer resolved(String members) {
            return signs.client().post("/v1/skus/" + signs.id("SIGN") + "/resolve", "{" + members + "}");
        }
    }

    @Test
    default void linkedPartUsesTheValuesOfTheChosenOptions() {
        BoundSigns bound = BoundSigns.of(host());
        String choice = bound.chosen("M", "red") + ",\"personalization\":\"Ada\"";
        Answer resolved = bound.resolved(choice);
        assertThat(resolved.status()).as(resolved.text()).isEqualTo(201);
        assertThat(resolved.at("linkedParts[0].linkedPartId")).isEqualTo(bound.linkedPart());
        assertThat(resolved.at("linkedParts[0].quantity")).hasToString("2");
        assertThat(resolved.at("linkedParts[0].parameters.width")).hasToString("25");
        assertThat(resolved.at("linkedParts[0].parameters.text")).isEqualTo("Ada");
        assertThat(resolved.at("linkedParts[0].materials.0[0].materialType")).isEqualTo("PETG");
        assertThat(resolved.at("linkedParts[0].plateQuantities.2")).hasToString("3");
        Client client = bound.signs().client();
        assertThat(client.get("/v1/part-builds").text()).as("nothing is queued").isEqualTo("[]");
        String build = "{\"skus\":[{\"sku\":\"SIGN\"," + choice + "}]}";
        Answer preview = client.post("/v2/builds/preview", build);
        assertThat(preview.at("partBuilds[0].parameters.text")).isEqualTo("Ada");
        assertThat(preview.at("summary.jobCount")).hasToString("6");
        BuildContract.built(client, build);
        Answer jobs = client.get("/v1/print-jobs");
        assertThat(jobs.each("extensions.3mf.plateId")).containsOnly("2").hasSize(6);
        assertThat(jobs.each("parameterOverrides[0].value")).containsOnly("25");
        assertThat(jobs.each("parameterOverrides[1].value")).containsOnly("Ada");
        assertThat(client.get("/v1/part-builds").at("[0].materials.0[0].materialType"))
                .isEqualTo("PETG");
    }

    @Test
    default void materialOfAChoiceIsOneAssignmentOrAnArrayOfThem() {
        BoundSigns bound = BoundSigns.of(host());
        Client client = bound.signs().client();
        Answer values = client.get("/v1/sku-option-property-values?materialValue.isNull=false&sort=createdAt");
        String red = "/v1/sku-option-property-values/" + values.at("[0].id");
        Answer single = client.sendUndescribed("PATCH", red, "{\"materialValue\":{\"materialType\":\"ABS\"}}");
        assertThat(single.at("materialValue[0].materialType")).as(single.text()).isEqualTo("ABS");
        Answer changed =
                client.patch(red, "{\"materialValue\":[{\"materialType\":\"ASA\"},{\"materialType\":\"PETG\"}]}");
        assertThat(changed.at("materialValue[1].materialType"))
                .as(changed.text())
                .isEqualTo("PETG");
        Answer resolved = bound.resolved(bound.chosen("M", "red") + ",\"personalization\":\"\"");
        assertThat(resolved.at("linkedParts[0].materials.0[0].materialType")).isEqualTo("ASA");
        assertThat(resolved.at("linkedParts[0].materials.0[1].materialType")).isEqualTo("PETG");
        assertThat(BuildContract.paths(client.patch(red, "{\"materialValue\":[]}")))
                .containsExactly("materialValue");
        assertThat(BuildContract.paths(client.patch(red, "{\"materialValue\":[{\"materialType\":\"A\"},{}]}")))
                .containsExactly("materialValue[1]");
    }

    @Test
    default void materialIsBoundToAFilamentByItsIndex() {
        BoundSigns bound = BoundSigns.of(host());
        Client client = bound.signs().client();
        String path = "/v1/linked-parts/" + bound.linkedPart();
        Object filament = client.get(path)
                .json()
                .get("parameterBindings")
                .get("materials.0")
                .getStringValue();
        String binding = "{\"parameterBindings\":{\"width\":\"" + bound.width() + "\",\"%s\":\"" + filament + "\"}}";
        assertThat(client.patch(path, binding.formatted("0")).status()).isEqualTo(200);
        assertThat(bound.resolved(bound.chosen("M", "red")).at("linkedParts[0].materials.0[0].materialType"))
                .isEqualTo("PETG");
        assertThat(client.patch(path, binding.formatted("text")).at("details[0].message"))
                .isEqualTo("parameterBindings.text must be a property of type text: bind a material to a filament, as"
                        + " materials.0");
    }

    @Test
    default void materialBindingOfAnyNameSetsTheOnlyFilamentOfAPart() {
        BoundSigns bound = BoundSigns.of(host());
        Client client = bound.signs().client();
        String path = "/v1/linked-parts/" + bound.linkedPart();
        Answer before = client.get(path);
        Object filament =
                before.json().get("parameterBindings").get("materials.0").getStringValue();
        String binding =
                "{\"parameterBindings\":{\"width\":\"" + bound.width() + "\",\"color_param\":\"" + filament + "\"}}";
        Answer changed = client.patch(path, binding);
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        BuildContract.built(client, "{\"skus\":[{\"sku\":\"SIGN\"," + bound.chosen("M", "red") + "}]}");
        assertThat(client.get("/v1/print-jobs").each("materialAssignments.0[0].materialType"))
                .isNotEmpty()
                .containsOnly("PETG");
        ReadyParts.change(
                bound.signs().store(),
                String.valueOf(before.at("partId")),
                "materials",
                List.of(Map.of("index", 0, "type", "PLA"), Map.of("index", 1, "type", "PLA")));
        assertThat(client.patch(path, binding).at("details[0].message"))
                .isEqualTo(
                        "parameterBindings.color_param must be a property of type text: bind a material to a filament,"
                                + " as materials.0");
        assertThat(BuildContract.paths(bound.resolved(bound.chosen("M", "red"))))
                .containsExactly("linkedPartConfigs." + bound.linkedPart() + ".materials");
    }

    @Test
    default void incompleteChoicePrintsNothing() {
        BoundSigns bound = BoundSigns.of(host());
        assertThat(BuildContract.paths(bound.resolved("")))
                .as("a size, a colour and the text")
                .containsExactlyInAnyOrder("optionValueIds", "optionValueIds", "personalization");
        assertThat(BuildContract.paths(bound.resolved(bound.chosen("S", "red") + ",\"personalization\":\"\"")))
                .as("no plates are named for a small red one")
                .containsExactly("optionValueIds");
        Client client = bound.signs().client();
        assertThat(BuildContract.paths(client.post("/v2/builds", "{\"skus\":[{\"sku\":\"SIGN\"}]}")))
                .containsOnly("skus[0].optionValueIds", "skus[0].personalization");
        Answer given = client.post(
                "/v2/builds/preview",
                "{\"skus\":[{\"sku\":\"SIGN\",\"parameters\":{\"" + bound.width() + "\":40}," + bound.chosen("M", "red")
                        + ",\"personalization\":\"\"}]}");
        assertThat(given.at("partBuilds[0].parameters.width"))
                .as("an input wins over the choice")
                .hasToString("40");
        assertThat(client.get("/v1/print-jobs").text()).isEqualTo("[]");
    }

    @Test
    default void unavailableChoiceIsRejectedAtItsPath() {
        BoundSigns bound = BoundSigns.of(host());
        Signs others = Signs.of(host());
        bound.signs().ids().put("others", others.id("red"));
        String text = ",\"personalization\":\"Ada\"";
        assertThat(BuildContract.paths(bound.resolved(bound.chosen("M", "red", "S", "others") + text)))
                .containsExactlyInAnyOrder("optionValueIds[2]", "optionValueIds[3]");
        assertThat(bound.signs().filter("colour", "red").status()).isEqualTo(201);
        bound.signs()
                .client()
                .patch(
                        "/v1/sku-option-bindings/" + bound.signs().id("colour of SIGN"),
                        "{\"filterMode\":\"exclusion\"}");
        assertThat(BuildContract.paths(bound.resolved(bound.chosen("M", "red") + text)))
                .contains("optionValueIds[1]");
        Answer width = bound.signs().client().get("/v1/sku-option-property-values?textValue=25");
        bound.signs()
                .client()
                .patch("/v1/sku-option-property-values/" + width.at("[0].id"), "{\"textValue\":\"wide\"}");
        assertThat(BuildContract.paths(bound.resolved(bound.chosen("M", "blue") + text)))
                .contains("linkedPartConfigs." + bound.linkedPart() + ".parameters.width");
        assertThat(BuildContract.paths(others.client()
                        .post("/v1/skus/" + others.id("SIGN") + "/resolve", "{\"personalization\":\"Ada\"}")))
                .containsExactly("personalization");
        assertThat(others.client()
                        .post("/v1/skus/" + bound.signs().id("SIGN") + "/resolve", "{}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    default void linkedPartIsBoundOnlyToPropertiesOfItsSku() {
        BoundSigns bound = BoundSigns.of(host());
        Client client = bound.signs().client();
        String linked = "/v1/linked-parts/" + bound.linkedPart();
        Answer stored = client.get(linked);
        assertThat(BuildContract.paths(client.patch(
                        linked,
                        "{\"parameterBindings\":{\"materials.0\":\"%s\",\"width\":\"%s\",\"text\":\"%s\"}}"
                                .formatted(bound.width(), stored.at("plateQuantitiesBinding"), SharedApi.unknownId()))))
                .containsExactlyInAnyOrder(
                        "parameterBindings.materials.0", "parameterBindings.width", "parameterBindings.text");
        String other = client.made("/v1/skus", "{\"sku\":\"OTHER\",\"title\":\"o\",\"linkedParts\":[]}");
        assertThat(BuildContract.paths(client.patch(linked, "{\"skuId\":\"" + other + "\"}")))
                .contains("plateQuantitiesBinding", "parameterBindings.width");
        Answer refused = client.delete("/v1/sku-option-properties/" + bound.width());
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains(bound.linkedPart());
        assertThat(client.delete("/v1/sku-option-bindings/" + bound.signs().id("size of SIGN"))
                        .status())
                .isEqualTo(409);
        client.patch(linked, "{\"parameterBindings\":null,\"plateQuantitiesBinding\":null}");
        assertThat(client.delete("/v1/sku-option-properties/" + bound.width()).status())
                .isEqualTo(200);
        assertThat(client.delete("/v1/sku-option-bindings/" + bound.signs().id("size of SIGN"))
                        .status())
                .isEqualTo(200);
    }
}
