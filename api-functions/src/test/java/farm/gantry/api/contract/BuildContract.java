package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Uploads;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests build requests: all errors are reported, and a valid request is queued completely. */
public interface BuildContract {
    Host host();

    String PARAMETERS = """
            ,"parameters":[
              {"name":"width","type":"number","default":10,"min":10,"max":50,"step":2.5},
              {"name":"text","type":"string","default":"","options":[{"value":"Ann"},{"value":"Bob"}]},
              {"name":"lid","type":"boolean","default":true},
              {"name":"logo","type":"file","acceptedContentTypes":["image/*"]}]""";

    static String build(String part, String rest) {
        return "{\"parts\":[{\"partId\":\"" + part + "\"" + rest + "}]}";
    }

    static List<Object> paths(Answer refused) {
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        List<Object> paths = new ArrayList<>();
        for (JsonNode fault : refused.json().get("details").values()) {
            paths.add(Answer.at(fault, "path"));
        }
        return paths;
    }

    static Answer built(Client client, String body) {
        Answer built = client.post("/v2/builds", body);
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        return built;
    }

    @Test
    default void eachPlateOfEachCopyIsAJob() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        String body = build(part, ",\"quantity\":2,\"plateQuantities\":{\"3\":2,\"2\":1},\"label\":\"L\"");
        Answer preview = client.post("/v2/builds/preview", body);
        assertThat(preview.at("summary.jobCount")).hasToString("6");
        assertThat(preview.at("partBuilds[0].source")).isEqualTo("part");
        assertThat(preview.at("partBuilds[0].jobs[5].plateName")).isEqualTo("three");
        assertThat(client.get("/v1/print-jobs").text()).isEqualTo("[]");
        String build = String.valueOf(built(client, body).at("partBuilds[0].id"));
        Answer jobs = client.get("/v1/print-jobs?sort=queueOrder&partBuildId=" + build);
        assertThat(jobs.each("quantityIndex")).containsExactly("1", "1", "1", "2", "2", "2");
        assertThat(jobs.each("extensions.3mf.plateId")).containsExactly("2", "3", "3", "2", "3", "3");
        assertThat(jobs.each("extensions.3mf.gcodeFile")).contains("Metadata/plate_2.gcode");
        assertThat(jobs.each("quantityTotal")).containsOnly("2");
        assertThat(jobs.each("label")).containsOnly("L");
        assertThat(jobs.each("isGcodeCached")).containsOnly("true");
        assertThat(jobs.each("slicedGcodeUri")).doesNotContain("null");
    }

    @Test
    default void gcodeFileIsOnePlate() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.uploaded(store, client);
        built(client, build(part, ",\"quantity\":2,\"plateQuantities\":{\"1\":2}"));
        Answer jobs = client.get("/v1/print-jobs?sort=queueOrder");
        assertThat(jobs.each("quantityIndex")).containsExactly("1", "1", "2", "2");
        assertThat(jobs.each("extensions.3mf.plateId")).containsOnly("1");
        assertThat(paths(client.post("/v2/builds", build(part, ",\"plateQuantities\":{\"1\":501,\"2\":1}"))))
                .containsExactly("parts[0].plateQuantities.1", "parts[0].plateQuantities.2");
        String linked = client.made("/v1/skus", """
                {"sku": "A", "title": "A", "linkedParts": [{"partId": "%s", "label": "", "quantity": 1, "parameters": [],
                  "exposedParameters": [], "plateQuantitiesBinding": "many", "extensions": {"3mf": {
                    "plateQuantities": {"1": 1}, "plateLabels": {"1": "lid"}, "skipObjects": {"1": ["brim"]}}}}]}""".formatted(part));
        Answer ofSku = built(client, "{\"skus\":[{\"skuId\":\"" + linked + "\",\"parameters\":{\"many\":3}}]}");
        Answer three = client.get("/v1/print-jobs?partBuildId=" + ofSku.at("partBuilds[0].id"));
        assertThat(three.each("label")).containsExactly("lid", "lid", "lid");
        assertThat(three.at("[2].extensions.3mf.skipObjects[0]")).isEqualTo("brim");
        assertThat(client.get("/v1/part-builds/" + ofSku.at("partBuilds[0].id")).at("plateQuantities.1"))
                .hasToString("3");
    }

    @Test
    default void jobWithoutGcodeWaitsForSlicing() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String project = ReadyParts.project(store, client, "3mf", "");
        String mesh = client.made("/v1/parts", new Uploads(client).part("a.stl", "stl", PARAMETERS));
        ReadyParts.change(store, mesh, "processingStatus", null);
        built(client, build(project, ""));
        built(client, build(mesh, ",\"parameters\":{\"width\":12.5,\"lid\":false}"));
        Answer jobs = client.get("/v1/print-jobs?sort=queueOrder");
        assertThat(jobs.each("extensions.3mf.plateId")).containsExactly("1", "2", "3", "(absent)");
        assertThat(jobs.each("filesToPrint")).containsOnly("[]");
        assertThat(jobs.each("isGcodeCached")).containsOnly("false");
        assertThat(jobs.each("slicedGcodeUri")).containsOnly("null");
        assertThat(jobs.at("[0].extensions.3mf.gcodeFile")).isNull();
        assertThat(jobs.at("[3].parameterOverrides[0].name")).isEqualTo("width");
        assertThat(jobs.at("[3].parameterOverrides[0].value")).hasToString("12.5");
        assertThat(jobs.at("[3].parameterOverrides[1].value")).isEqualTo(false);
    }

    @Test
    default void emptyPlateIsNotPrinted() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "3mf", "");
        ReadyParts.emptyPlates(store, part, "2");
        assertThat(client.get("/v1/parts/" + part + "/metadata").at("plates[1].empty"))
                .isEqualTo(true);
        built(client, build(part, ""));
        built(client, build(part, ",\"plateQuantities\":{\"2\":0,\"3\":1}"));
        assertThat(client.get("/v1/print-jobs?sort=queueOrder").each("extensions.3mf.plateId"))
                .containsExactly("1", "3", "3");
        assertThat(paths(client.post("/v2/builds", build(part, ",\"plateQuantities\":{\"2\":1}"))))
                .containsExactly("parts[0].plateQuantities.2");
        ReadyParts.emptyPlates(store, part, "1", "2", "3");
        assertThat(paths(client.post("/v2/builds", build(part, "")))).containsExactly("parts[0].plateQuantities");
    }

    @Test
    default void allErrorsOfARequestNameTheirPaths() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", PARAMETERS);
        String unknown = SharedApi.unknownId();
        String upload = new Uploads(client).put("a.txt", "x");
        assertThat(paths(client.post("/v2/builds", build(part, """
                        ,"quantity":1,"parameters":{"width":11,"text":"Cid","lid":"yes","height":1,"logo":"%s"},
                        "plateQuantities":{"1":1,"3":501},
                        "materials":{"0":[{"variantId":"%s"},{}],"7":[{"materialType":"PLA"}]}""".formatted(upload, unknown)))))
                .containsExactlyInAnyOrder(
                        "parts[0].parameters.width",
                        "parts[0].parameters.text",
                        "parts[0].parameters.lid",
                        "parts[0].parameters.height",
                        "parts[0].parameters.logo",
                        "parts[0].plateQuantities.1",
                        "parts[0].plateQuantities.3",
                        "parts[0].materials.0[0].variantId",
                        "parts[0].materials.0[1]",
                        "parts[0].materials.7");
        assertThat(paths(client.post(
                        "/v2/builds",
                        "{\"parts\":[{\"partId\":\"" + part + "\",\"quantity\":501,\"priority\":7},{}]}")))
                .containsExactlyInAnyOrder("parts[0].quantity", "parts[0].priority", "parts[1].partId");
        assertThat(paths(client.post("/v2/builds", build(part, ",\"parameters\":{\"width\":51}"))))
                .containsExactly("parts[0].parameters.width");
        assertThat(paths(client.post(
                        "/v2/builds",
                        build(unknown, "")
                                .replace(
                                        "]}",
                                        ","
                                                + build(part, ",\"materials\":{\"07\":[]}")
                                                        .substring(10)))))
                .containsExactly("parts[1].materials.07");
        assertThat(client.get("/v1/part-builds").text()).isEqualTo("[]");
    }

    @Test
    default void gcodeJobHasThePartsName() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        built(client, build(ReadyParts.uploaded(store, client), ""));
        Answer job = client.get("/v1/print-jobs");
        assertThat(job.at("[0].label")).isEqualTo("cube");
        assertThat(job.at("[0].extensions.3mf.plateId")).hasToString("1");
        assertThat(job.at("[0].extensions.3mf.gcodeFile")).isNull();
    }

    @Test
    default void fileValueIsCopiedToTheBuild() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String logo = new Uploads(client).put("deep/logo.svg", "<svg/>");
        String other = new Uploads(Client.of(host(), SharedApi.newStore().key())).put("logo.svg", "<svg/>");
        String part = ReadyParts.project(
                store,
                client,
                "gcode3mf",
                PARAMETERS.replace("\"file\",", "\"file\",\"defaultUri\":\"" + logo + "\","));
        Answer byDefault = built(client, build(part, ""));
        assertThat(byDefault.at("partBuilds[0].parameters.logo"))
                .asString()
                .startsWith("files:" + store.id() + "/" + part + "/builds/" + byDefault.at("partBuilds[0].id"))
                .endsWith("/logo.svg");
        assertThat(client.get("/v1/print-jobs").at("[0].parameterOverrides[0].value"))
                .isEqualTo(byDefault.at("partBuilds[0].parameters.logo"));
        assertThat(paths(client.post("/v2/builds", build(part, ",\"parameters\":{\"logo\":\"" + other + "\"}"))))
                .containsExactly("parts[0].parameters.logo");
        Answer preview = client.post("/v2/builds/preview", build(part, ",\"parameters\":{\"logo\":\"" + logo + "\"}"));
        assertThat(preview.at("partBuilds[0].parameters.logo")).isEqualTo(logo);
    }

    @Test
    default void filesOfTheSameNameStaySeparateInABuild() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        Uploads uploads = new Uploads(client);
        String part = client.made("/v1/parts", """
                {"name": "sign", "type": "scad", "fileUris": ["%s", "%s", "%s"], "parameters": [
                  {"name": "front", "type": "file"}, {"name": "back", "type": "file"}]}""".formatted(
                        uploads.put("sign.scad", "cube(1);"),
                        uploads.put("front/logo.svg", "<svg>front</svg>"),
                        uploads.put("back/logo.svg", "<svg>back</svg>")));
        ReadyParts.change(store, part, "processingStatus", null);
        Answer stored = client.get("/v1/parts/" + part);
        Answer built = built(
                client,
                build(
                        part,
                        ",\"parameters\":{\"front\":\"" + stored.at("fileUris[1]") + "\",\"back\":\""
                                + stored.at("fileUris[2]") + "\"}"));
        assertThat(built.at("partBuilds[0].parameters.front"))
                .asString()
                .endsWith("/logo.svg")
                .isNotEqualTo(built.at("partBuilds[0].parameters.back"));
    }

    @Test
    default void filamentUsesTheFirstMaterialChoiceUnlessSkipped() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String pla = client.made("/v1/materials", "{\"name\":\"m\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        String part = ReadyParts.project(
                store,
                client,
                "gcode3mf",
                ",\"assignedMaterials\":{\"0\":[{\"materialType\":\"PLA\"}],\"1\":[{\"materialType\":\"PVA\"}]}");
        built(client, build(part, ",\"plateQuantities\":{\"2\":1}"));
        built(
                client,
                build(part, ",\"plateQuantities\":{\"2\":1},\"materials\":{\"0\":[{\"materialId\":\"" + pla + "\"}]}"));
        built(client, build(part, ",\"plateQuantities\":{\"2\":1},\"materials\":{\"0\":[]}"));
        Answer jobs = client.get("/v1/print-jobs?sort=queueOrder");
        assertThat(jobs.text())
                .contains("\"materialAssignments\":{\"0\":[{\"materialType\":\"PLA\"}]}")
                .contains("\"materialAssignments\":{\"0\":[{\"materialId\":\"" + pla + "\"}]}");
        assertThat(jobs.at("[2].materialAssignments")).isNull();
        assertThat(client.get("/v1/part-builds").at("[1].materials.0[0].materialId"))
                .isEqualTo(pla);
    }

    @Test
    default void frontJobsAreQueuedFirstInTheirOrder() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.uploaded(store, client);
        built(client, build(part, ",\"label\":\"a\""));
        String wish = "{\"partId\":\"" + part + "\",\"label\":\"%s\",\"position\":\"%s\"}";
        built(
                client,
                "{\"parts\":["
                        + String.join(
                                ",",
                                wish.formatted("b", "front"),
                                wish.formatted("c", "back"),
                                wish.formatted("d", "front"))
                        + "]}");
        assertThat(client.get("/v1/print-jobs?sort=queueOrder").each("label")).containsExactly("b", "d", "a", "c");
    }

    @Test
    default void tagsOfTheRequestReplaceThoseOfThePart() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(
                store, client, "gcode3mf", ",\"printTags\":{\"printer.provider\":\"=vendorA\",\"user.tags\":\"x\"}");
        Answer built = built(client, build(part, ",\"tags\":{\"user.tags\":\"|=a|b\"}"));
        assertThat(built.text())
                .contains("\"requiredPrinterTags\":{\"printer.provider\":\"=vendorA\",\"user.tags\":\"|=a|b\"}");
    }

    @Test
    default void buildIsRejectedWhenATagIsUnknown() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        Answer refused = client.post("/v2/builds", build(part, ",\"tags\":{\"printer.name\":\"=Left\"}"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("parts[0].tags.printer.name");
        assertThat(refused.at("details[0].message"))
                .isEqualTo("parts[0].tags.printer.name is not a tag: the tags are filament.type, printer.id,"
                        + " printer.modelName, printer.nozzleDiameter, printer.provider, user.tags");
        Answer old = client.post(
                "/v1/builds", "{\"parts\":[{\"partId\":\"" + part + "\",\"tags\":{\"printer.name\":\"x\"}}]}");
        assertThat(paths(old)).containsExactly("parts[0].tags.printer.name");
        Answer ofSku = client.post(
                "/v2/builds",
                "{\"skus\":[{\"sku\":\"LAMP\",\"tags\":{\"a\":\"x\"},\"linkedPartConfigs\":{\"p\":{\"tags\":{\"b\":\"x\"}}}}]}");
        assertThat(paths(ofSku)).containsExactlyInAnyOrder("skus[0].tags.a", "skus[0].linkedPartConfigs.p.tags.b");
        assertThat(paths(client.patch("/v1/parts/" + part, "{\"printTags\":{\"printer.name\":\"x\"}}")))
                .containsExactly("printTags.printer.name");
        assertThat(client.get("/v1/print-jobs").text()).isEqualTo("[]");
    }

    @Test
    default void buildIsRejectedWhenThePartsValueIsOutOfRange() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        ReadyParts.change(
                store,
                part,
                "parameters",
                List.of(
                        Map.of("name", "width", "type", "number", "max", 10, "default", 11),
                        Map.of(
                                "name",
                                "text",
                                "type",
                                "string",
                                "options",
                                List.of(Map.of("value", "x")),
                                "value",
                                "y"),
                        Map.of("name", "height", "type", "number", "max", 10, "value", 5)));
        Answer refused = client.post("/v2/builds", build(part, ""));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(paths(refused)).containsExactly("parts[0].parameters.width", "parts[0].parameters.text");
        assertThat(refused.at("details[0].message"))
                .isEqualTo(
                        "parts[0].parameters.width must be at most 10; the part's own value is invalid, so set another value");
        built(client, build(part, ",\"parameters\":{\"width\":10,\"text\":\"x\"}"));
        assertThat(client.patch("/v1/parts/" + part, "{\"name\":\"renamed\"}").status())
                .as("a change of another field")
                .isEqualTo(200);
    }

    @Test
    default void buildIsRejectedWhenTagsHaveTheWrongFieldName() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        String tags = ":{\"printer.provider\":\"=vendorA\"}";
        Answer refused = client.post("/v2/builds", build(part, ",\"printerTags\"" + tags));
        assertThat(refused.at("details[0].message"))
                .isEqualTo("parts[0].printerTags is not a field here: the tags that restrict where it prints are"
                        + " parts[0].tags");
        assertThat(paths(client.post("/v2/builds", build(part, ",\"printTags\"" + tags))))
                .containsExactly("parts[0].printTags");
        assertThat(paths(client.patch("/v1/parts/" + part, "{\"printerTags\"" + tags + "}")))
                .containsExactly("printerTags");
        Answer linked = client.post(
                "/v1/linked-parts",
                "{\"partId\":\"" + part + "\",\"label\":\"l\",\"quantity\":1,\"parameters\":[],"
                        + "\"exposedParameters\":[],\"printTags\"" + tags + "}");
        assertThat(linked.at("details[0].message"))
                .isEqualTo("printTags is not a field here, and is not ignored because it restricts where jobs print");
    }

    @Test
    default void emptyBuildCompletesAtOnceAndOversizedBuildIsRejected() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        Answer nothing = built(client, build(part, ",\"quantity\":0"));
        assertThat(nothing.at("partBuilds[0].status")).isEqualTo("success");
        assertThat(nothing.at("partBuilds[0].completedAt")).isEqualTo(nothing.at("partBuilds[0].createdAt"));
        assertThat(built(client, build(part, ",\"plateQuantities\":{\"2\":0}")).at("partBuilds[0].status"))
                .isEqualTo("success");
        assertThat(paths(client.post(
                        "/v2/builds/preview", build(part, ",\"quantity\":500,\"plateQuantities\":{\"2\":50,\"3\":1}"))))
                .containsExactly("parts");
        assertThat(paths(client.post("/v2/builds", "{}"))).containsExactly("parts");
        assertThat(client.get("/v1/print-jobs").text()).isEqualTo("[]");
    }
}
