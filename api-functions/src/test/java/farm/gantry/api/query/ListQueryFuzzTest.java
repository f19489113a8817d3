package farm.gantry.api.query;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.printer.Printer;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/**
 * Tests that any query string or search body is parsed or rejected as a client error. With {@code JAZZER_FUZZ=1} in the
 * environment it fuzzes; otherwise it repeats earlier findings.
 */
@Tag("fuzz")
@Tag("long")
final class ListQueryFuzzTest {
    private static final Columns<Printer> PRINTERS = Columns.of(Printer.class);
    private static final JsonMapper MAPPER = JsonMapper.createDefault();

    @FuzzTest(maxDuration = "2m")
    void queryStringIsParsedOrRejected(FuzzedDataProvider data) {
        Map<String, List<String>> parameters = new HashMap<>();
        while (data.remainingBytes() > 0 && parameters.size() < 20) {
            String name = data.consumeBoolean()
                    ? data.pickValue(List.of("sort", "limit", "offset", "fields", "include", "cursor", "meta", "hints"))
                    : data.pickValue(PRINTERS.all()).name() + (data.consumeBoolean() ? data.consumeString(12) : "");
            parameters.put(name, List.of(data.consumeString(60)));
        }
        understoodOrRefused(() -> ListQuery.of(PRINTERS, parameters));
    }

    @FuzzTest(maxDuration = "2m")
    void searchBodyIsParsedOrRejected(byte[] body) {
        JsonNode tree;
        try {
            tree = MAPPER.readValue(body, Argument.of(JsonNode.class));
        } catch (IOException notJson) {
            return;
        }
        if (tree != null) {
            understoodOrRefused(() -> ListQuery.of(PRINTERS, tree));
        }
    }

    private static void understoodOrRefused(Runnable reading) {
        try {
            reading.run();
        } catch (ProblemException refused) {
            switch (refused.problem()) {
                case Problem.InvalidFilter _,
                        Problem.InvalidSort _,
                        Problem.InvalidInclude _,
                        Problem.MalformedJson _ -> {}
                default -> throw refused;
            }
        }
    }
}
