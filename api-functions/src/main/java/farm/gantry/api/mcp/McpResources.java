package farm.gantry.api.mcp;

import farm.gantry.Id;
import farm.gantry.api.documentation.DocumentationPages;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.json.RecordReader;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The resources that an assistant may read: printers, jobs and the pages of the documentation. */
@Singleton
final class McpResources {
    private static final String SCHEME = "gantry://";
    private static final String DOCS = SCHEME + "docs/";
    private static final String JSON = "application/json";
    private static final List<RecordList> ALL = List.of(
            new RecordList(
                    "printers",
                    "printer",
                    "Printers",
                    "What each printer does.",
                    Operation.get("/v1/printers"),
                    PrinterTools::list),
            new RecordList(
                    "jobs",
                    "job",
                    "Print jobs",
                    "What is printing now.",
                    Operation.get("/v1/print-jobs"),
                    JobTools::list));

    private final DocumentationPages pages;
    private final RecordReader reader;

    McpResources(DocumentationPages pages, RecordReader reader) {
        this.pages = pages;
        this.reader = reader;
    }

    /** A list of records, and the records of it by their id. */
    private record RecordList(
            String name,
            String noun,
            String title,
            String description,
            Operation list,
            Function<ToolCall, McpTool.ToolResult> summary) {
        String uri() {
            return SCHEME + name;
        }
    }

    /** Returns the resources that the key may read. */
    List<Map<String, Object>> list(LocalApi api) {
        List<Map<String, Object>> all = new ArrayList<>();
        ALL.stream()
                .filter(each -> api.isPermitted(each.list()))
                .forEach(each ->
                        all.add(describe("uri", each.uri(), each.name(), each.title(), each.description(), JSON)));
        pages.sections()
                .forEach(section -> section.pages()
                        .forEach(page -> all.add(describe(
                                "uri",
                                DOCS + page.path(),
                                page.path(),
                                page.title(),
                                "Documentation: " + section.title(),
                                "text/markdown"))));
        return all;
    }

    /** Returns the resources with an id in their address that the key may read. */
    static List<Map<String, Object>> templates(LocalApi api) {
        return ALL.stream()
                .filter(each -> api.isPermitted(each.list()))
                .map(each -> describe(
                        "uriTemplate",
                        each.uri() + "/{id}",
                        each.noun(),
                        "One " + each.noun(),
                        "All fields of a " + each.noun() + ", by its id.",
                        JSON))
                .toList();
    }

    private static Map<String, Object> describe(
            String key, String uri, String name, String title, String description, String type) {
        return Map.of(key, uri, "name", name, "title", title, "description", description, "mimeType", type);
    }

    /** Returns the contents of a resource; empty if there is none at this address that the key may read. */
    Optional<Map<String, Object>> read(LocalApi api, String uri) {
        if (uri.startsWith(DOCS)) {
            return pages.find(uri.substring(DOCS.length()))
                    .map(page -> contents(uri, "text/markdown", page.markdown()));
        }
        return ALL.stream()
                .filter(each -> uri.equals(each.uri()) || uri.startsWith(each.uri() + "/"))
                .filter(each -> api.isPermitted(each.list()))
                .findFirst()
                .flatMap(each -> Optional.ofNullable(read(api, each, uri)))
                .map(record -> contents(uri, JSON, JsonText.write(record)));
    }

    private @Nullable JsonNode read(LocalApi api, RecordList records, String uri) {
        if (uri.equals(records.uri())) {
            return reader.toTree(
                    records.summary().apply(new ToolCall(api, Map.of())).data());
        }
        String id = uri.substring(records.uri().length() + 1);
        try {
            return id.matches(Id.PATTERN) ? api.get(records.list().path() + "/" + id, Map.of()) : null;
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.NotFound) {
                return null;
            }
            throw e;
        }
    }

    private static Map<String, Object> contents(String uri, String type, String text) {
        return Map.of("contents", List.of(Map.of("uri", uri, "mimeType", type, "text", text)));
    }
}
