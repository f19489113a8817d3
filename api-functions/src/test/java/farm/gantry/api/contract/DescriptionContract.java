package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Permission;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.hint.Hint;
import farm.gantry.api.hint.Hints;
import farm.gantry.api.security.Caller;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the API's description is served without a key. */
public interface DescriptionContract {
    Pattern ASSET = Pattern.compile("(?:href|src)=\"(reference/[^\"]+)\"");

    Host host();

    private Client nobody() {
        return Client.of(host());
    }

    @Test
    default void descriptionIsServedAsYamlAndJson() {
        Answer yaml = nobody().get("/openapi.yaml");
        assertThat(yaml.status()).isEqualTo(200);
        assertThat(yaml.header("content-type")).startsWith("application/yaml");
        assertThat(yaml.text()).startsWith("openapi: 3.1.0\ninfo:\n  title: Gantry\n  version: 0.0.1\n");
        Answer json = nobody().get("/openapi.json");
        assertThat(json.status()).isEqualTo(200);
        assertThat(json.header("content-type")).isEqualTo("application/json");
        assertThat(json.at("openapi")).isEqualTo("3.1.0");
        assertThat(json.at("info.version")).isEqualTo("0.0.1");
        assertThat(json.json().get("paths").size()).isEqualTo(count(yaml.text(), "\n  /v"));
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    default void descriptionIsNotModifiedWhenTheTagMatches() {
        for (String path : List.of("/openapi.yaml", "/openapi.json", "/reference", "/reference/reference.js")) {
            String tag = Objects.requireNonNull(nobody().get(path).header("etag"));
            Answer again = nobody().with("if-none-match", tag).get(path);
            assertThat(again.status()).as(path).isEqualTo(304);
            assertThat(again.body()).isEmpty();
            assertThat(nobody().with("if-none-match", "\"other\"").get(path).status())
                    .isEqualTo(200);
        }
    }

    @Test
    default void everyOperationNamesItsPermission() {
        JsonNode paths = nobody().get("/openapi.json").json().get("paths");
        paths.entries()
                .forEach(path -> path.getValue().entries().forEach(operation -> {
                    JsonNode description = operation.getValue();
                    JsonNode permissions = description.get("x-permission");
                    String at = operation.getKey() + " " + path.getKey();
                    if (permissions == null) {
                        assertThat(description.get("security").values())
                                .as(at)
                                .extracting(scheme -> Answer.at(scheme, "agentToken"))
                                .hasSize(path.getKey().startsWith("/v1/agents/link") ? 1 : 0)
                                .doesNotContain("(absent)");
                    } else {
                        assertThat(description.get("security")).as(at).isNull();
                        permissions
                                .values()
                                .forEach(each -> assertThat(Permission.parse(each.getStringValue()))
                                        .as(at)
                                        .isPresent());
                    }
                }));
        assertThat(Answer.at(paths, "/v1/parts")).isNotEqualTo("(absent)");
    }

    @Test
    default void referencePageLoadsNothingFromOtherHosts() {
        Answer start = nobody().get("/");
        assertThat(start.status()).isEqualTo(307);
        assertThat(start.header("location")).endsWith("reference");
        Answer page = nobody().get("/reference");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("content-type")).startsWith("text/html");
        assertThat(page.header("content-security-policy"))
                .startsWith("default-src 'none'; script-src 'self'; style-src 'self';")
                .doesNotContain("unsafe")
                .doesNotContain("http");
        assertThat(page.text()).doesNotContain("http:").doesNotContain("https:");
        List<String> assets = ASSET.matcher(page.text())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(assets).hasSize(4);
        assets.forEach(asset -> {
            Answer answer = nobody().get("/" + asset);
            assertThat(answer.status()).as(asset).isEqualTo(200);
            assertThat(answer.body()).as(asset).isNotEmpty();
            assertThat(answer.header("x-content-type-options")).isEqualTo("nosniff");
        });
        assertThat(nobody().get("/reference/other.js").status()).isEqualTo(404);
        assertThat(nobody().get("/reference/..%2Fapplication.yml").status()).isEqualTo(404);
    }

    @Test
    default void hintsDescribeTheFirstSteps() {
        Answer start = nobody().get("/v1/hints");
        assertThat(start.status()).isEqualTo(200);
        assertThat(start.at("version")).isEqualTo("0.0.1");
        assertThat(start.at("authentication")).asString().contains("ApiKey");
        assertThat(start.body()).hasSizeLessThan(20_000);
        assertThat(start.json().get("hints").values()).anySatisfy(hint -> {
            assertThat(Answer.at(hint, "description")).isEqualTo("Macros: 8 calls");
            assertThat(Answer.at(hint, "path")).isEqualTo("/v1/hints/path/v1/macros");
            assertThat(nobody().get(String.valueOf(Answer.at(hint, "path"))).each("action"))
                    .hasSize(8);
        });
    }

    @Test
    default void hintsSayWhatAnOperationNeedsAndWhetherItIsDeprecated() {
        assertThat(nobody().get("/v1/hints/path/v1/macros").json().values()).anySatisfy(hint -> {
            assertThat(Answer.at(hint, "action")).isEqualTo("createMacro");
            assertThat(Answer.at(hint, "description")).isEqualTo("Create a macro");
            assertThat(Answer.at(hint, "method")).isEqualTo("POST");
            assertThat(Answer.at(hint, "condition")).isEqualTo("needs macro.create");
        });
        assertThat(nobody().get("/v1/hints/path/v1/builds").each("description"))
                .anyMatch(description -> description.startsWith("Deprecated: Queue builds"));
    }

    @Test
    default void schemaOfATypeIsSelfContained() {
        Answer schema = nobody().get("/v1/hints/schema/types/GcodeMacro");
        assertThat(schema.status()).isEqualTo(200);
        assertThat(schema.at("$schema")).isEqualTo("https://json-schema.org/draft/2020-12/schema");
        assertThat(schema.at("properties.compatibilities.items.$ref")).isEqualTo("#/$defs/GcodeMacroCompatibility");
        assertThat(schema.at("$defs.GcodeMacroCompatibility.required[0]")).isEqualTo("vendorName");
        assertThat(nobody().get("/v1/hints/schema/types").at("$defs.GcodeMacro.type"))
                .isEqualTo("object");
        assertThat(nobody().get("/v1/hints/schema/types/Nobody").status()).isEqualTo(404);
    }

    @Test
    default void schemasOfAPathDescribeRequestAndResponse() {
        Answer schemas = nobody().get("/v1/hints/schema/paths/v1/macros/" + SharedApi.unknownId());
        assertThat(schemas.status()).isEqualTo(200);
        JsonNode one = Objects.requireNonNull(schemas.json().get("/v1/macros/{id}"));
        assertThat(Answer.at(one, "PATCH.body.$ref")).isEqualTo("#/$defs/GcodeMacroUpdate");
        assertThat(Answer.at(one, "PATCH.body.$defs.GcodeMacroUpdate.type")).isEqualTo("object");
        assertThat(Answer.at(one, "GET.answer.$ref")).isEqualTo("#/$defs/GcodeMacroPartial");
        assertThat(Answer.at(one, "GET.body")).isEqualTo("(absent)");
        JsonNode all = Objects.requireNonNull(
                nobody().get("/v1/hints/schema/paths").json().get("/v1/macros"));
        assertThat(Answer.at(all, "POST.body.$ref")).isEqualTo("/v1/hints/schema/types/GcodeMacroInsert");
        assertThat(nobody().get("/v1/hints/schema/paths/v1/nothing").status()).isEqualTo(404);
    }

    @Test
    default void hintsOfAPathListItsOperationsAndThoseBelow() {
        Answer hints = nobody().get("/v1/hints/path/v1/macros");
        assertThat(hints.each("action")).contains("listMacros", "createMacro", "getMacro", "searchMacros");
        assertThat(hints.each("path")).allMatch(path -> path.startsWith("/v1/macros"));
        assertThat(nobody().get("/v1/hints/path/v1/macros/" + SharedApi.unknownId())
                        .each("action"))
                .containsExactlyInAnyOrder("getMacro", "updateMacro", "deleteMacro");
        assertThat(nobody().get("/v1/hints/path/v1/nothing").status()).isEqualTo(404);
    }

    @Test
    default void hintsListOnlyPermittedOperations() {
        SharedApi.Store store = SharedApi.newStore();
        Hints hints = SharedApi.bean(Hints.class);
        Caller viewer = new Caller(store.id(), "k", false, Set.of(Permission.MACRO_VIEW));
        Caller owner = new Caller(store.id(), "k", true, Set.of());
        assertThat(hints.ofList(viewer, "/v1/macros")).extracting(Hint::action).containsExactly("searchMacros");
        assertThat(hints.ofList(owner, "/v1/macros"))
                .extracting(Hint::action)
                .containsExactlyInAnyOrder("createMacro", "updateMacros", "deleteMacros", "searchMacros");
        assertThat(hints.ofRecord(viewer, "/v1/macros", "m")).isEmpty();
        List<Hint> ofPart = hints.ofRecord(owner, "/v1/parts", "p");
        assertThat(ofPart)
                .extracting(Hint::path)
                .contains("/v1/parts/p", "/v1/parts/p/metadata", "/v1/parts/p/retry-processing");
        assertThat(ofPart).extracting(Hint::action).doesNotContain("getPart");
    }

    @Test
    default void bodySchemaOfAHintLinksToItsTypes() {
        Caller owner = new Caller(SharedApi.newStore().id(), "k", true, Set.of());
        Hint create = SharedApi.bean(Hints.class).ofList(owner, "/v1/macros").stream()
                .filter(hint -> hint.action().equals("createMacro"))
                .findFirst()
                .orElseThrow();
        Map<String, Object> schema = Objects.requireNonNull(create.bodySchema());
        assertThat(schema.get("required")).isEqualTo(List.of("name", "type", "gcode"));
        assertThat(schema.toString()).contains("$ref=/v1/hints/schema/types/GcodeMacroCompatibility");
        assertThat(nobody().get("/v1/hints/schema/types/GcodeMacroCompatibility")
                        .status())
                .isEqualTo(200);
    }
}
