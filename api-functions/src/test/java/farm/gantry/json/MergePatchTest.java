package farm.gantry.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MergePatchTest {
    private static final String FANS =
            "{\"fans\":[{\"ref\":\"part\",\"label\":\"Part\",\"kind\":\"part\"},{\"ref\":\"aux\"}]}";

    @Test
    void nullRemovesAMemberAndArrayReplacesAnother() throws IOException {
        assertThat(applied(
                        "{\"a\":1,\"b\":{\"c\":2},\"d\":[1,2]}", "{\"a\":null,\"b\":{\"e\":null,\"f\":3},\"d\":[3]}"))
                .isEqualTo(Json.tree("{\"b\":{\"c\":2,\"f\":3},\"d\":[3]}"));
    }

    @Test
    void arrayElementsAreMergedByRef() throws IOException {
        String patch = "{\"fans\":[{\"ref\":\"part\",\"label\":\"Nozzle\",\"kind\":null},{\"ref\":\"box\"}]}";
        assertThat(applied(FANS, patch))
                .isEqualTo(Json.tree(
                        "{\"fans\":[{\"ref\":\"part\",\"label\":\"Nozzle\"},{\"ref\":\"aux\"},{\"ref\":\"box\"}]}"));
    }

    @Test
    void arrayWithAnElementWithoutRefIsReplaced() throws IOException {
        assertThat(applied(FANS, "{\"fans\":[{\"ref\":\"part\"},{}]}"))
                .isEqualTo(Json.tree("{\"fans\":[{\"ref\":\"part\"},{}]}"));
        assertThat(applied(FANS, "{\"fans\":[]}")).isEqualTo(Json.tree("{\"fans\":[]}"));
    }

    @Test
    void combinedPatchesRemoveMembersOfBoth() throws IOException {
        assertThat(MergePatch.join(
                        Json.tree("{\"a\":null,\"b\":{\"c\":1}}"), Json.tree("{\"b\":{\"c\":null,\"d\":2}}")))
                .isEqualTo(Json.tree("{\"a\":null,\"b\":{\"c\":null,\"d\":2}}"));
        assertThat(MergePatch.join(Json.tree("{\"a\":1}"), null)).isNull();
    }

    private static Map<String, Object> applied(String target, String patch) throws IOException {
        return MergePatch.apply(Json.tree(target), Json.tree(patch));
    }
}
