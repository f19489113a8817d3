package farm.gantry.api.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import io.micronaut.jackson.core.tree.JsonNodeTreeCodec;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Parses untrusted JSON: exactly one value, nested at most 100 levels deep, of at most a million tokens. */
public final class JsonText {
    private static final int MAX_DEPTH = 100;
    /** Maximum number of tokens; a tree of that size takes about 40 MB. */
    private static final int MAX_TOKENS = 1_000_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxTokenCount(MAX_TOKENS)
                    .build())
            .build();
    private static final JsonNodeTreeCodec TREES = JsonNodeTreeCodec.getInstance();

    private JsonText() {}

    /** Parses the text; throws 400 {@code malformed_json} if it is not exactly one JSON value. */
    public static JsonNode parse(byte[] text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new ProblemException(new Problem.MalformedJson("the request cannot be read: it is empty"));
            }
            JsonNode tree = TREES.readTree(parser);
            if (parser.nextToken() != null) {
                throw new ProblemException(
                        new Problem.MalformedJson("the request cannot be read: it has text after the end of its JSON"));
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw new ProblemException(new Problem.MalformedJson("the request cannot be read: " + reason(e)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a tree of any depth that {@link #parse} accepts; the encoder of the mapper supports at most 64 levels. */
    public static String write(JsonNode tree) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            TREES.writeTree(generator, tree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static String reason(JsonProcessingException e) {
        String reason = e.getOriginalMessage().lines().findFirst().orElse("it is not JSON");
        return e.getLocation() == null
                ? reason
                : reason + ", in line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }
}
