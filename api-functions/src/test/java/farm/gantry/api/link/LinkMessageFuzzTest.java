package farm.gantry.api.link;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.json.StorableText;
import farm.gantry.json.MergePatch;
import farm.gantry.wire.LinkRequest;
import io.micronaut.json.tree.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/**
 * Tests that any message of an agent is read or rejected as a client error, and that status reports are merged. With
 * {@code JAZZER_FUZZ=1} in the environment it fuzzes; otherwise it repeats earlier findings.
 */
@Tag("fuzz")
@Tag("long")
final class LinkMessageFuzzTest {
    @FuzzTest(maxDuration = "2m")
    void linkMessageIsReadOrRejected(byte[] body) {
        try {
            SharedApi.bean(RecordReader.class).read(LinkRequest.class, StorableText.sanitize(JsonText.parse(body)));
        } catch (ProblemException refused) {
            // the agent's fault
        }
    }

    @FuzzTest(maxDuration = "2m")
    void mergePatchOfTheDifferenceRestoresTheChange(FuzzedDataProvider data) {
        Map<String, Object> before = object(data.consumeBytes(data.remainingBytes() / 2));
        Map<String, Object> merged = MergePatch.apply(before, object(data.consumeRemainingAsBytes()));
        Map<String, Object> again = MergePatch.apply(before, MergePatch.between(before, merged));
        if (!again.equals(merged)) {
            throw new AssertionError(before + " became " + merged + " and then " + again);
        }
    }

    /** Returns the JSON object in the bytes without nulls, or an empty one. */
    @SuppressWarnings("unchecked") // an object's members have names
    private static Map<String, Object> object(byte[] bytes) {
        try {
            JsonNode tree = JsonText.parse(bytes);
            return tree.isObject()
                    ? MergePatch.apply(Map.of(), (Map<String, Object>) (Map<?, ?>) tree.getValue())
                    : Map.of();
        } catch (ProblemException notJson) {
            return Map.of();
        }
    }
}
