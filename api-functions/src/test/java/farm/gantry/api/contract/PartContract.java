package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.file.FileUri;
import farm.gantry.part.Part;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests parts and their files, up to the request to the worker. */
public interface PartContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String target(@Nullable Object url) {
        return Uploads.target(url);
    }

    private static String uploaded(Client client, String name, String text) {
        return new Uploads(client).put(name, text);
    }

    private static String part(String uri) {
        return "{\"name\":\"cube\",\"type\":\"gcode\",\"fileUris\":[\"" + uri + "\"]}";
    }

    @Test
    default void uploadCreatesAPartInProcessing() {
        Client client = owner();
        String id = client.made("/v1/parts", part(uploaded(client, "a folder/cube.gcode", "G28\n")));
        Answer part = client.get("/v1/parts/" + id);
        assertThat(part.at("processingStatus")).isEqualTo("processing");
        assertThat(part.at("processing.attempt")).hasToString("1");
        assertThat(part.at("processing.stages[4].key")).isEqualTo("estimate");
        assertThat(part.at("fileHashes[0]")).isEqualTo(sha256("G28\n"));
        assertThat(part.at("processing.fileHash")).isEqualTo(part.at("fileHashes[0]"));
        assertThat(part.at("fileUris[0]")).asString().startsWith("files:").endsWith("/cube.gcode");
        assertThat(part.at("description")).isEqualTo("");
        assertThat(part.at("thumbnailUri")).isNull();
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Client.utf8(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    default void missingOrForeignUploadIsRejectedAtItsPath() {
        Client client = owner();
        Answer signed = client.post("/v1/storage/signed-upload-urls", "{\"filenames\":[\"never.gcode\"]}");
        String never = String.valueOf(signed.at("signedUrls[0].path"));
        String foreign = uploaded(owner(), "theirs.gcode", "G28\n");
        Answer refused = client.post(
                "/v1/parts",
                "{\"name\":\"x\",\"type\":\"gcode\",\"fileUris\":[\"" + never + "\",\"" + foreign
                        + "\",\"nonsense\"]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("fileUris[0]");
        assertThat(refused.at("details[1].path")).isEqualTo("fileUris[1]");
        assertThat(refused.at("details[2].path")).isEqualTo("fileUris[2]");
        assertThat(client.get("/v1/parts").text()).isEqualTo("[]");
    }

    @Test
    default void nameWithPathTraversalIsRejected() {
        Answer refused = owner().post("/v1/storage/signed-upload-urls", "{\"filenames\":[\"ok.stl\",\"../../etc\"]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("filenames[1]");
    }

    @Test
    default void fileIsReadByASignedUrlWholeAndByRange() {
        Client client = owner();
        String path = uploaded(client, "cube.gcode", "0123456789");
        Answer signed = client.post("/v1/storage/signed-urls", "{\"paths\":[\"" + path + "\"]}");
        assertThat(signed.status()).isEqualTo(201);
        Object url = signed.at("signedUrls[0]");
        String target = target(url);
        Client anyone = Socket.to(url);
        assertThat(anyone.get(target).text()).isEqualTo("0123456789");
        Answer part = anyone.with("range", "bytes=3-5").get(target);
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.text()).isEqualTo("345");
        assertThat(part.header("content-range")).isEqualTo("bytes 3-5/10");
        assertThat(anyone.with("range", "bytes=7-").get(target).text()).isEqualTo("789");
        Answer behind = anyone.with("range", "bytes=10-").get(target);
        assertThat(behind.status()).isEqualTo(416);
    }

    @Test
    default void signedUrlServesOnlyItsFile() {
        Client client = owner();
        String path = uploaded(client, "cube.gcode", "G28\n");
        Object url = client.post("/v1/storage/signed-urls", "{\"paths\":[\"" + path + "\"]}")
                .at("signedUrls[0]");
        String target = target(url);
        Client anyone = Socket.to(url);
        assertThat(anyone.send("PUT", target, Client.utf8("G29\n")).status()).isEqualTo(403);
        assertThat(anyone.get(target.replaceFirst("(?i)(expires=)", "$11")).status())
                .isEqualTo(403);
        assertThat(anyone.get(target.replaceFirst("cube", "tube")).status()).isEqualTo(403);
        assertThat(owner().post("/v1/storage/signed-urls", "{\"paths\":[\"" + path + "\"]}")
                        .status())
                .isEqualTo(404);
    }

    private static Object signed(Client client, String path) {
        Answer signed = client.post("/v1/storage/signed-urls", "{\"paths\":[\"" + path + "\"]}");
        assertThat(signed.status()).as(signed.text()).isEqualTo(201);
        return Objects.requireNonNull(signed.at("signedUrls[0]"));
    }

    private static int fetched(Object url) {
        return Socket.to(url).get(target(url)).status();
    }

    @Test
    default void signedUrlIsNotFoundOnceTheFileIsReplacedOrDeleted() {
        Client client = owner();
        String id = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        String first = String.valueOf(client.get("/v1/parts/" + id).at("fileUris[0]"));
        Object ofFirst = signed(client, first);
        assertThat(fetched(ofFirst)).isEqualTo(200);
        String second = String.valueOf(
                client.patch("/v1/parts/" + id, "{\"fileUris\":[\"" + uploaded(client, "b.gcode", "G29\n") + "\"]}")
                        .at("fileUris[0]"));
        Object ofSecond = signed(client, second);
        assertThat(fetched(ofFirst)).isEqualTo(404);
        assertThat(fetched(ofSecond)).isEqualTo(200);
        client.delete("/v1/parts/" + id);
        assertThat(fetched(ofSecond)).isEqualTo(404);
        assertThat(fetched(signed(client, second)))
                .as("signed although it does not exist")
                .isEqualTo(404);
    }

    @Test
    default void signedUrlOfADeletedPartWorksUntilItsJobEnds() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = ReadyParts.uploaded(store, client);
        Object url = signed(client, String.valueOf(client.get("/v1/parts/" + id).at("fileUris[0]")));
        Answer built = client.post("/v2/builds", "{\"parts\":[{\"partId\":\"" + id + "\"}]}");
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        client.delete("/v1/parts/" + id);
        assertThat(client.get("/v1/parts/" + id).status()).isEqualTo(404);
        assertThat(fetched(url)).isEqualTo(200);
        Object job = client.get("/v1/print-jobs").at("[0].id");
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        assertThat(fetched(url)).isEqualTo(404);
    }

    @Test
    default void replacedFileStartsANewRunAndAnInvalidOneChangesNothing() {
        Client client = owner();
        String id = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        Answer before = client.get("/v1/parts/" + id);
        Answer refused = client.patch("/v1/parts/" + id, "{\"fileUris\":[\"uploads:nothing\"]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(client.get("/v1/parts/" + id).text()).isEqualTo(before.text());
        Answer after =
                client.patch("/v1/parts/" + id, "{\"fileUris\":[\"" + uploaded(client, "b.gcode", "G29\n") + "\"]}");
        assertThat(after.status()).as(after.text()).isEqualTo(200);
        assertThat(after.at("processing.attempt")).hasToString("2");
        assertThat(after.at("processing.workflowKey")).isNotEqualTo(before.at("processing.workflowKey"));
        assertThat(after.at("fileHashes[0]")).isEqualTo(sha256("G29\n"));
    }

    @Test
    default void unchangedPartIsNotProcessedAgain() {
        Client client = owner();
        String id = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        Answer read = client.get("/v1/parts/" + id);
        Answer same = client.patch("/v1/parts/" + id, read.text().replace("\"cube\"", "\"block\""));
        assertThat(same.status()).as(same.text()).isEqualTo(200);
        assertThat(same.at("name")).isEqualTo("block");
        assertThat(same.at("fileUris")).isEqualTo(read.at("fileUris"));
        assertThat(same.at("processing")).isEqualTo(read.at("processing"));
        String both = "{\"assignedMaterials\":{}," + read.text().substring(1);
        assertThat(client.patch("/v1/parts/" + id, both).status()).isEqualTo(200);
    }

    @Test
    default void partIsNotBuiltBeforeItIsReady() {
        Client client = owner();
        String id = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        Answer refused = client.post("/v2/builds", "{\"parts\":[{\"partId\":\"" + id + "\"}]}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains("cube");
        assertThat(client.post("/v2/builds", "{\"parts\":[]}").status()).isEqualTo(400);
        Answer unknown = client.post("/v2/builds", "{\"parts\":[{\"partId\":\"" + SharedApi.unknownId() + "\"}]}");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.at("details[0].path")).isEqualTo("parts[0].partId");
    }

    @Test
    default void partIsReestimatedOnlyAfterProcessing() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String reading = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        assertThat(client.post("/v1/parts/" + reading + "/estimate", "{}").status())
                .isEqualTo(409);
        Answer again = client.post("/v1/parts/" + ReadyParts.uploaded(store, client) + "/estimate", "{}");
        assertThat(again.status()).as(again.text()).isEqualTo(201);
        assertThat(again.at("processingStatus")).isEqualTo("processing");
        assertThat(again.at("processing.attempt")).hasToString("2");
    }

    @Test
    default void onlyAFailedIngestIsRetried() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = ReadyParts.uploaded(store, client);
        assertThat(client.post("/v1/parts/" + id + "/retry-processing", "{}").status())
                .isEqualTo(409);
        ReadyParts.change(store, id, "processingStatus", "failed");
        Answer again = client.post("/v1/parts/" + id + "/retry-processing", "{}");
        assertThat(again.status()).as(again.text()).isEqualTo(201);
        assertThat(again.at("processing.attempt")).hasToString("2");
    }

    @Test
    default void truncatedFileIsAcceptedWhileThePartKeepsIt() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = ReadyParts.uploaded(store, client);
        ReadyParts.change(store, id, "processingStatus", "failed");
        Answer accepted = client.post("/v1/parts/" + id + "/retry-processing", "{\"acceptIncomplete\":true}");
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(201);
        assertThat(accepted.at("processing.acceptIncomplete")).isEqualTo(true);
        ReadyParts.change(store, id, "processingStatus", "failed");
        assertThat(client.post("/v1/parts/" + id + "/retry-processing", "{}").at("processing.acceptIncomplete"))
                .isEqualTo(true);
        Answer replaced = client.patch(
                "/v1/parts/" + id, "{\"fileUris\":[\"" + uploaded(client, "b.gcode", "G28\nG1 X1\n") + "\"]}");
        assertThat(replaced.status()).as(replaced.text()).isEqualTo(200);
        assertThat(replaced.at("processing.acceptIncomplete")).isEqualTo("(absent)");
        Answer wrong = client.post("/v1/parts/" + id + "/retry-processing", "{\"acceptIncomplete\":\"yes\"}");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.at("details[0].path")).isEqualTo("acceptIncomplete");
    }

    @Test
    default void onlyA3mfCanBeSplitByPlates() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        Answer refused = client.post("/v1/parts/" + ReadyParts.uploaded(store, client) + "/split-plates", "{}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains("3MF");
    }

    @Test
    default void deletedPartIsNotFound() {
        Client client = owner();
        String id = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        assertThat(client.delete("/v1/parts/" + id).at("[0]")).isEqualTo(id);
        assertThat(client.get("/v1/parts/" + id).status()).isEqualTo(404);
        assertThat(client.delete("/v1/parts/" + id).status()).isEqualTo(404);
    }

    @Test
    default void newFileClearsTheErrorsOfTheOld() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = client.made("/v1/parts", part(uploaded(client, "a.step", "ISO")));
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(Tables.class)
                                .of(Part.class)
                                .change(
                                        tx,
                                        id,
                                        new Change<Part>()
                                                .set(Part::meshError, "no solid")
                                                .set(Part::processingStatus, Part.ProcessingStatus.failed)
                                                .set(Part::thumbnailUri, "t")));
        Answer after =
                client.patch("/v1/parts/" + id, "{\"fileUris\":[\"" + uploaded(client, "b.step", "ISO 2") + "\"]}");
        assertThat(after.at("meshError")).isNull();
        assertThat(after.at("thumbnailUri")).isNull();
        assertThat(after.at("processingStatus")).isEqualTo("processing");
        assertThat(after.at("processing.fileHash")).isEqualTo(after.at("fileHashes[0]"));
    }

    @Test
    default void projectIsSlicedWithItsOwnProfileByDefault() {
        Client client = owner();
        Uploads uploads = new Uploads(client);
        String profile = client.made(
                "/v1/profiles",
                "{\"name\":\"p\",\"type\":\"process\",\"source\":\"manual\",\"data\":{},\"metadata\":{},"
                        + "\"inherits\":\"\",\"compatibilityList\":\"\"}");
        Map.of(
                        "",
                        "true",
                        ",\"overriddenProcessProfileId\":null",
                        "true",
                        ",\"overriddenProcessProfileId\":\"" + profile + "\"",
                        "false",
                        ",\"use3MFProcessProfile\":false",
                        "false")
                .forEach((rest, used) -> assertThat(client.post("/v1/parts", uploads.part("a.3mf", "3mf", rest))
                                .at("use3MFProcessProfile"))
                        .as(rest)
                        .hasToString(used));
        assertThat(client.post("/v1/parts", uploads.part("a.3mf", "gcode3mf", ""))
                        .at("use3MFProcessProfile"))
                .as("its type may be corrected")
                .hasToString("true");
        assertThat(client.post("/v1/parts", uploads.part("a.stl", "stl", "")).at("use3MFProcessProfile"))
                .isEqualTo(false);
    }

    @Test
    default void partListsItsProfiles() {
        Client client = owner();
        Uploads uploads = new Uploads(client);
        String pla = client.made("/v1/materials", "{\"name\":\"m\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        String choices = ",\"assignedMaterials\":{\"1\":[{\"materialId\":\"" + pla
                + "\"},{\"materialType\":\"PETG\"}],\"0\":[{\"materialType\":\"PLA\"}]}";
        String id = client.made("/v1/parts", uploads.part("a.gcode", "gcode", choices));
        String of = "/v1/part-material-assignments?partId=" + id;
        Answer listed = client.get(of + "&sort=index,priority&include=material");
        assertThat(listed.each("index")).containsExactly("0", "1", "1");
        assertThat(listed.each("priority")).containsExactly("0", "0", "1");
        assertThat(listed.each("materialType")).containsExactly("PLA", "null", "PETG");
        assertThat(listed.at("[1].material.id")).isEqualTo(pla);
        assertThat(client.delete("/v1/materials/" + pla).status()).isEqualTo(409);
        assertThat(client.patch("/v1/parts/" + id, "{\"name\":\"new\"}").at("name"))
                .isEqualTo("new");
        assertThat(client.get(of).json().size()).isEqualTo(3);
        client.patch(
                "/v1/parts",
                "{\"ids\":[\"" + id + "\"],\"update\":{\"assignedMaterials\":{\"0\":[{\"materialId\":\"" + pla
                        + "\"}]}}}");
        assertThat(client.get(of).each("materialId")).containsExactly(pla);
        client.patch("/v1/parts/" + id, "{\"assignedMaterials\":null}");
        assertThat(client.get(of).text()).isEqualTo("[]");
        assertThat(client.delete("/v1/materials/" + pla).status()).isEqualTo(200);
    }

    @Test
    default void contradictoryParametersAreRejectedAtTheirPath() {
        Client client = owner();
        Uploads uploads = new Uploads(client);
        String id = client.made("/v1/parts", uploads.part("a.scad", "scad", ""));
        Map.of(
                        "{\"name\":\"a\",\"type\":\"string\"},{\"name\":\"a\",\"type\":\"number\"}",
                        "parameters[1].name",
                        "{\"name\":\"a\",\"type\":\"number\",\"min\":5,\"max\":4}",
                        "parameters[0].min",
                        "{\"name\":\"a\",\"type\":\"number\",\"default\":\"wide\"}",
                        "parameters[0].default",
                        "{\"name\":\"a\",\"type\":\"boolean\",\"value\":1}",
                        "parameters[0].value",
                        "{\"name\":\"a\",\"type\":\"number\",\"max\":10,\"value\":11}",
                        "parameters[0].value",
                        "{\"name\":\"a\",\"type\":\"number\",\"min\":3,\"default\":2}",
                        "parameters[0].default",
                        "{\"name\":\"a\",\"type\":\"string\",\"options\":[{\"value\":\"x\"}],\"value\":\"y\"}",
                        "parameters[0].value")
                .forEach((parameters, place) -> {
                    String member = "\"parameters\":[" + parameters + "]";
                    assertThat(client.post("/v1/parts", uploads.part("a.scad", "scad", "," + member))
                                    .at("details[0].path"))
                            .isEqualTo(place);
                    assertThat(client.patch("/v1/parts/" + id, "{" + member + "}")
                                    .at("details[0].path"))
                            .isEqualTo(place);
                });
    }

    @Test
    default void invalidMaterialChoiceIsRejectedAtItsPath() {
        Client client = owner();
        Uploads uploads = new Uploads(client);
        String unknown = "{\"groupId\":\"" + SharedApi.unknownId() + "\"}";
        Map.of(
                        "{\"0\":[{}]}",
                        "assignedMaterials.0[0]",
                        "{\"0\":[{\"materialType\":\"PLA\"}," + unknown + "]}",
                        "assignedMaterials.0[1].groupId",
                        "{\"0\":null}",
                        "assignedMaterials.0",
                        "{\"first\":[]}",
                        "assignedMaterials.first",
                        "{\"00\":[]}",
                        "assignedMaterials.00",
                        "7",
                        "assignedMaterials")
                .forEach((choices, place) -> assertThat(client.post(
                                        "/v1/parts", uploads.part("a.stl", "stl", ",\"assignedMaterials\":" + choices))
                                .at("details[0].path"))
                        .as(choices)
                        .isEqualTo(place));
        Answer both = client.post(
                "/v1/parts", uploads.part("a.stl", "stl", ",\"description\":5,\"assignedMaterials\":{\"0\":[{}]}"));
        assertThat(both.json().get("details").size()).isEqualTo(2);
        assertThat(client.get("/v1/parts").text()).isEqualTo("[]");
    }

    @Test
    default void parameterValuesAreNeitherObjectsNorArrays() {
        Client client = owner();
        String id = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        String right = "[{\"name\":\"size\",\"type\":\"number\",\"value\":1.5,\"default\":1.0E16,"
                + "\"options\":[{\"value\":1.5},{\"value\":1.0E16},{\"value\":\"x\"}]},"
                + "{\"name\":\"lid\",\"type\":\"boolean\",\"value\":true}]";
        Answer taken = client.patch("/v1/parts/" + id, "{\"parameters\":" + right + "}");
        assertThat(taken.status()).as(taken.text()).isEqualTo(200);
        assertThat(taken.text()).contains("\"parameters\":" + right);
        String wrong = "[{\"name\":\"a\",\"type\":\"string\",\"value\":{\"b\":1},\"default\":[1],"
                + "\"options\":[{\"value\":true},{\"value\":[]}]}]";
        assertThat(client.patch("/v1/parts/" + id, "{\"parameters\":" + wrong + "}")
                        .json()
                        .get("details")
                        .values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactly(
                        "parameters[0].value",
                        "parameters[0].default",
                        "parameters[0].options[0].value",
                        "parameters[0].options[1].value");
        assertThat(client.post(
                                "/v1/linked-parts",
                                "{\"partId\":\"" + id + "\",\"label\":\"\",\"quantity\":1,\"exposedParameters\":[],"
                                        + "\"parameters\":[{\"name\":\"a\",\"type\":\"string\",\"value\":[\"b\"]}]}")
                        .at("details[0].path"))
                .isEqualTo("parameters[0].value");
    }

    @Test
    default void fileOfAnotherTypeIsProcessedAgain() {
        Client client = owner();
        String id = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        Answer same = client.patch("/v1/parts/" + id, "{\"type\":\"gcode\"}");
        assertThat(same.at("processing.attempt")).hasToString("1");
        Answer other = client.patch("/v1/parts/" + id, "{\"type\":\"stl\"}");
        assertThat(other.at("processing.attempt")).as(other.text()).hasToString("2");
        assertThat(other.at("processingStatus")).isEqualTo("processing");
    }

    @Test
    default void invalidBodyIsRejectedBeforeAnUnknownId() {
        Client client = owner();
        String unknown = SharedApi.unknownId();
        Answer refused = client.patch("/v1/parts/" + unknown, "{\"name\":\"\",\"userTags\":1}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("\"name\"", "\"userTags\"");
        Answer both = client.patch("/v1/parts/" + unknown, "{\"name\":\"\",\"assignedMaterials\":{\"x\":[]}}");
        assertThat(both.text()).contains("\"path\":\"name\"", "\"path\":\"assignedMaterials");
        Answer many = client.patch(
                "/v1/parts",
                "{\"ids\":[\"" + unknown + "\"],\"update\":{\"name\":\"\",\"assignedMaterials\":{\"x\":[]}}}");
        assertThat(many.text()).contains("\"path\":\"update.name\"", "\"path\":\"update.assignedMaterials");
        assertThat(client.patch("/v1/parts/" + unknown, "{\"name\":\"a\"}").status())
                .isEqualTo(404);
        Answer files = client.post("/v1/parts", "{\"name\":\"a\",\"type\":\"stl\",\"fileUris\":[]}");
        assertThat(files.at("details[0].message")).isEqualTo("fileUris size must be at least 1");
    }

    @Test
    default void manyPartsAreChangedAndDeletedTogether() {
        Client client = owner();
        String one = client.made("/v1/parts", part(uploaded(client, "a.gcode", "G28\n")));
        String two = client.made("/v1/parts", part(uploaded(client, "b.gcode", "G28\n")));
        String both = "[\"" + one + "\",\"" + two + "\"]";
        String file = uploaded(client, "c.gcode", "G29\n");
        Answer changed = client.patch(
                "/v1/parts",
                "{\"ids\":" + both + ",\"update\":{\"description\":\"d\",\"userTags\":[\"x\"],\"fileUris\":[\"" + file
                        + "\"]}}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(changed.each("description")).containsExactly("d", "d");
        assertThat(changed.each("fileHashes[0]")).containsOnly(sha256("G29\n"));
        assertThat(changed.each("processing.attempt")).containsExactly("2", "2");
        FileStorage files = SharedApi.bean(FileStorage.class);
        FileUri uri =
                FileUri.parse(String.valueOf(changed.at("[0].fileUris[0]"))).orElseThrow();
        assertThat(files.find(uri)).isPresent();
        assertThat(client.delete("/v1/parts", both).json().size()).isEqualTo(2);
        assertThat(client.get("/v1/parts").text()).isEqualTo("[]");
        assertThat(files.find(uri)).isEmpty();
    }
}
