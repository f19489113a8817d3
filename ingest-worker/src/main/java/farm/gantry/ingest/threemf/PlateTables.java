package farm.gantry.ingest.threemf;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import farm.gantry.ingest.threemf.archive.ArchiveRewrite.EntryContent;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The project's tables that have an entry for each plate, with that of one plate alone, as plate 1. */
record PlateTables(ThreemfArchive archive, int plate) {
    private static final String CUSTOM_GCODE = "Metadata/custom_gcode_per_layer.xml";
    private static final String FILAMENT_SEQUENCE = "Metadata/filament_sequence.json";
    private static final int MAX_SIZE = 8 << 20;
    private static final Pattern OF_ONE_PLATE = Pattern.compile("plate_\\d{1,3}");
    private static final JsonFactory JSON = new JsonFactory();

    void renumber(Map<String, EntryContent> changed) throws IOException {
        if (archive.has(CUSTOM_GCODE)) {
            changed.put(CUSTOM_GCODE, EntryContent.of(customGcode().toXml()));
        }
        if (archive.has(FILAMENT_SEQUENCE)) {
            changed.put(FILAMENT_SEQUENCE, EntryContent.of(filamentSequence()));
        }
    }

    /** Pauses, colour changes and G-code at heights. */
    private XmlElement customGcode() throws IOException {
        return XmlElement.root(archive, CUSTOM_GCODE, MAX_SIZE)
                .with(child -> plateOf(child) == plate)
                .mapChildren(
                        _ -> true,
                        child -> child.mapChildren(
                                info -> info.name().equals("plate_info"),
                                info -> info.withAttributes(Map.of("id", "1"))));
    }

    /** An entry that names no plate is the first one's. */
    private static int plateOf(XmlElement entry) {
        return entry.all("plate_info")
                .flatMap(info -> Stream.ofNullable(AttributeValues.integer(info.attribute("id"))))
                .findFirst()
                .orElse(1);
    }

    /** The order of the filaments; the slicer finds one by itself where there is none. */
    private byte[] filamentSequence() throws IOException {
        var out = new ByteArrayOutputStream();
        try (JsonParser parser = JSON.createParser(archive.read(FILAMENT_SEQUENCE, MAX_SIZE));
                JsonGenerator copy = JSON.createGenerator(out)) {
            parser.nextToken();
            copy.writeStartObject();
            for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
                parser.nextToken();
                boolean own = key.equals("plate_" + plate);
                if (own || !OF_ONE_PLATE.matcher(key).matches()) {
                    copy.writeFieldName(own ? "plate_1" : key);
                    copy.copyCurrentStructure(parser);
                } else {
                    parser.skipChildren();
                }
            }
            copy.writeEndObject();
        } catch (JsonProcessingException garbage) {
            return "{}".getBytes(StandardCharsets.UTF_8);
        }
        return out.toByteArray();
    }
}
