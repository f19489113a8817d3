package farm.gantry.ingest.threemf;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import farm.gantry.ingest.gcode.SlicerSettings;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A project's settings: of Bambu Studio and OrcaSlicer one JSON object whose values are texts or lists of texts, where
 * anything deeper is passed over; of PrusaSlicer and SuperSlicer the comments that they end a G-code with.
 */
final class ProjectSettings {
    static final String NAME = "Metadata/project_settings.config";

    private static final String OF_PRUSA = "Metadata/Slic3r_PE.config";
    private static final int MAX_BYTES = 4 << 20;
    private static final JsonFactory JSON = new JsonFactory();

    private ProjectSettings() {}

    static SlicerSettings read(ThreemfArchive archive) throws IOException {
        if (archive.has(OF_PRUSA)) {
            Map<String, String> comments = ofPrusa(archive);
            return (key, separator) -> SlicerSettings.split(comments.getOrDefault(key, ""), separator);
        }
        Map<String, List<String>> values = archive.has(NAME) ? parse(archive.read(NAME, MAX_BYTES)) : Map.of();
        return (key, separator) -> values.getOrDefault(key, List.of());
    }

    /** All settings by their names; empty where there are none. */
    static Map<String, Object> readAll(ThreemfArchive archive) throws IOException {
        if (archive.has(OF_PRUSA)) {
            return Map.copyOf(ofPrusa(archive));
        }
        return archive.has(NAME) ? Map.copyOf(parse(archive.read(NAME, MAX_BYTES))) : Map.of();
    }

    private static Map<String, String> ofPrusa(ThreemfArchive archive) throws IOException {
        return new String(archive.read(OF_PRUSA, MAX_BYTES), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("; ") && line.contains(" = "))
                .map(line -> line.substring(2).split(" = ", 2))
                .collect(Collectors.toMap(
                        setting -> setting[0].strip(), setting -> setting[1].strip(), (first, second) -> first));
    }

    private static Map<String, List<String>> parse(byte[] json) throws IOException {
        Map<String, List<String>> values = new HashMap<>();
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadFileException(NAME + " is not a JSON object");
            }
            for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
                values.put(key, value(parser));
            }
        } catch (JsonProcessingException broken) {
            throw new BadFileException(NAME + " is not valid JSON", broken);
        }
        return values;
    }

    private static List<String> value(JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        if (token.isScalarValue()) {
            return token == JsonToken.VALUE_NULL ? List.of() : List.of(text(parser));
        }
        List<String> values = new ArrayList<>();
        boolean list = token == JsonToken.START_ARRAY;
        int depth = 1;
        while (depth > 0) {
            JsonToken next = parser.nextToken();
            if (next.isStructStart()) {
                depth++;
            } else if (next.isStructEnd()) {
                depth--;
            } else if (list && depth == 1 && next != JsonToken.VALUE_NULL) {
                values.add(text(parser));
            }
        }
        return List.copyOf(values);
    }

    /** The value as UTF-8 can hold it: JSON's escapes can spell half of a surrogate pair, which no report can carry. */
    private static String text(JsonParser parser) throws IOException {
        return new String(parser.getText().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
