package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** Tests folders: a tree whose siblings have different names. */
public interface FolderContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String folder(String name, String parent) {
        return "{\"type\":\"part\",\"name\":\"" + name + "\",\"parentId\":" + parent + "}";
    }

    private static String made(Client client, String name, String parent) {
        return client.made("/v1/folders", folder(name, parent.equals("null") ? parent : "\"" + parent + "\""));
    }

    private static Answer move(Client client, String folders, String to) {
        return client.patch(
                "/v1/folders/move", "{\"entities\":{\"folderIds\":[" + folders + "]},\"toFolderId\":" + to + "}");
    }

    private static Answer delete(Client client, String folders) {
        return client.with("content-type", "application/json")
                .send(
                        "DELETE",
                        "/v1/folders/delete",
                        Client.utf8("{\"folderIds\":[" + folders + "],\"type\":\"part\"}"));
    }

    private static String quoted(String id) {
        return "\"" + id + "\"";
    }

    @Test
    default void foldersOfPartsAndSkusAreListed() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String parts = client.made("/v1/folders", "{\"type\":\"part\",\"name\":\"a\"}");
        String skus = client.made("/v1/folders", "{\"type\":\"sku\",\"name\":\"a\"}");
        assertThat(client.get("/v1/folders/parts").each("id")).containsExactly(parts);
        assertThat(client.get("/v1/folders/skus?meta=true").at("data[0].id")).isEqualTo(skus);
        assertThat(client.get("/v1/folders/skus?sort=bogus").status()).isEqualTo(400);
    }

    @Test
    default void foldersAreFilteredByType() {
        Client client = owner();
        String parts = made(client, "brackets", "null");
        String skus = client.made("/v1/folders", folder("brackets", "null").replace("part", "sku"));
        assertThat(client.get("/v1/folders/by-type/part").each("id")).containsExactly(parts);
        assertThat(client.get("/v1/folders/by-type/sku?name=brackets").each("id"))
                .containsExactly(skus);
        assertThat(client.get("/v1/folders/by-type/teapot").status()).isEqualTo(400);
        assertThat(client.get("/v1/folders").each("id")).containsExactly(parts, skus);
        assertThat(client.post("/v1/folders/search", "{\"filter\":{\"type\":\"sku\"}}")
                        .each("id"))
                .containsExactly(skus);
        assertThat(owner().get("/v1/folders/by-type/part").text()).isEqualTo("[]");
    }

    @Test
    default void siblingNamesAreUnique() {
        Client client = owner();
        String top = made(client, "a", "null");
        String other = made(client, "b", "null");
        String below = made(client, "a", top);
        assertThat(client.post("/v1/folders", folder("a", "null")).status()).isEqualTo(409);
        assertThat(client.patch("/v1/folders/rename", "{\"id\":\"" + other + "\",\"name\":\"a\"}")
                        .status())
                .isEqualTo(409);
        assertThat(move(client, quoted(below), "null").status()).isEqualTo(409);
        assertThat(client.patch("/v1/folders/rename", "{\"id\":\"" + other + "\",\"name\":\"c\"}")
                        .at("name"))
                .isEqualTo("c");
    }

    @Test
    default void folderCannotBeMovedIntoItself() {
        Client client = owner();
        String top = made(client, "a", "null");
        String below = made(client, "b", top);
        assertThat(move(client, quoted(top), quoted(below)).status()).isEqualTo(409);
        assertThat(move(client, quoted(top), quoted(top)).status()).isEqualTo(409);
        Answer moved = move(client, quoted(below), "null");
        assertThat(moved.text()).isEqualTo("{\"success\":true,\"affected\":1}");
        assertThat(move(client, quoted(top), quoted(below)).status()).isEqualTo(200);
    }

    @Test
    default void foldersNestAtMostTwentyLevels() {
        Client client = owner();
        String at = made(client, "1", "null");
        for (int level = 2; level <= 20; level++) {
            at = made(client, String.valueOf(level), at);
        }
        assertThat(client.post("/v1/folders", folder("21", quoted(at))).status())
                .isEqualTo(409);
    }

    @Test
    default void moveWithAnUnknownIdChangesNothing() {
        Client client = owner();
        String top = made(client, "a", "null");
        String below = made(client, "b", top);
        Answer nowhere = client.patch("/v1/folders/move", "{\"entities\":{\"folderIds\":[\"" + below + "\"]}}");
        assertThat(nowhere.status()).isEqualTo(400);
        assertThat(nowhere.at("details[0].path")).isEqualTo("toFolderId");
        Answer refused = client.patch(
                "/v1/folders/move",
                "{\"entities\":{\"folderIds\":[\"" + below + "\"],\"partIds\":[\"" + SharedApi.unknownId() + "\"]},"
                        + "\"toFolderId\":null}");
        assertThat(refused.status()).isEqualTo(404);
        assertThat(client.get("/v1/folders/by-type/part?parentId=" + top).each("id"))
                .containsExactly(below);
        assertThat(move(client, quoted(below), quoted(SharedApi.unknownId())).at("details[0].path"))
                .isEqualTo("toFolderId");
        assertThat(client.post("/v1/folders", folder("c", quoted(made(owner(), "x", "null"))))
                        .at("details[0].path"))
                .isEqualTo("parentId");
    }

    @Test
    default void folderIsDeletedWithItsContentsOrNotAtAll() {
        Client client = owner();
        String top = made(client, "a", "null");
        String below = made(client, "b", top);
        assertThat(delete(client, quoted(top)).status()).isEqualTo(409);
        assertThat(delete(client, quoted(top) + "," + quoted(below) + "," + quoted(SharedApi.unknownId()))
                        .text())
                .isEqualTo("{\"success\":true,\"affected\":2}");
        assertThat(client.get("/v1/folders/by-type/part").text()).isEqualTo("[]");
    }

    @Test
    default void folderContainsSkus() {
        Client client = owner();
        String folder = client.made("/v1/folders", folder("brackets", "null").replace("part", "sku"));
        String parts = made(client, "brackets", "null");
        String sku = client.made("/v1/skus", "{\"sku\":\"B-1\",\"title\":\"Bracket\"}");
        String moving = "{\"entities\":{\"skuIds\":[\"" + sku + "\"]},\"toFolderId\":\"%s\"}";
        assertThat(client.patch("/v1/folders/move", moving.formatted(parts)).at("details[0].path"))
                .isEqualTo("toFolderId");
        assertThat(client.patch("/v1/skus/" + sku, "{\"folderId\":\"" + parts + "\"}")
                        .at("details[0].path"))
                .isEqualTo("folderId");
        assertThat(client.patch("/v1/folders/move", moving.formatted(folder)).text())
                .isEqualTo("{\"success\":true,\"affected\":1}");
        assertThat(client.get("/v1/folders/" + folder + "/skus?fields=sku").text())
                .isEqualTo("[{\"sku\":\"B-1\"}]");
        assertThat(client.get("/v1/folders/" + folder + "/parts").text()).isEqualTo("[]");
        assertThat(client.get("/v1/folders/" + SharedApi.unknownId() + "/skus").status())
                .isEqualTo(404);
        Answer refused = client.delete("/v1/folders/" + folder);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains(sku);
        client.patch("/v1/skus/" + sku, "{\"folderId\":null}");
        assertThat(client.delete("/v1/folders/" + folder).at("[0]")).isEqualTo(folder);
    }

    @Test
    default void singleFolderIsReadAndChanged() {
        Client client = owner();
        String top = made(client, "a", "null");
        String below = made(client, "b", top);
        assertThat(client.get("/v1/folders/" + below + "?include=parent").at("parent.name"))
                .isEqualTo("a");
        Answer changed = client.patch("/v1/folders/" + below, "{\"name\":\"c\",\"parentId\":null,\"type\":\"sku\"}");
        assertThat(changed.at("name")).isEqualTo("c");
        assertThat(changed.at("type")).isEqualTo("part");
        assertThat(client.patch("/v1/folders/" + below, "{\"name\":\"a\"}").status())
                .isEqualTo(409);
        assertThat(client.patch("/v1/folders/" + top, "{\"parentId\":\"" + top + "\"}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    default void bulkFolderChangeAppliesToAllOrNone() {
        Client client = owner();
        String top = made(client, "a", "null");
        String one = made(client, "b", "null");
        String two = made(client, "c", "null");
        String both = "{\"ids\":[" + quoted(one) + "," + quoted(two) + "],\"update\":%s}";
        assertThat(client.patch("/v1/folders", both.formatted("{\"parentId\":" + quoted(top) + "}"))
                        .each("parentId"))
                .containsExactly(top, top);
        assertThat(client.patch("/v1/folders", both.formatted("{\"name\":\"same\"}"))
                        .status())
                .isEqualTo(409);
        assertThat(client.get("/v1/folders?parentId=" + top).each("name")).containsExactly("b", "c");
    }

    @Test
    default void partFoldersNeedThePermissionsOfParts() {
        Client client = owner();
        Client seller = client.permitted("sku.view");
        assertThat(seller.get("/v1/folders/by-type/sku").status()).isEqualTo(200);
        assertThat(seller.get("/v1/folders/by-type/part").at("details[0].path")).isEqualTo("part.view");
        made(client, "parts", "null");
        String skus = client.made("/v1/folders", folder("skus", "null").replace("part", "sku"));
        assertThat(seller.get("/v1/folders").each("id")).containsExactly(skus);
        assertThat(seller.post("/v1/folders/search", "{\"filter\":{\"type\":\"part\"}}")
                        .each("id"))
                .isEmpty();
        assertThat(seller.post("/v1/folders", folder("a", "null")).status()).isEqualTo(403);
    }
}
