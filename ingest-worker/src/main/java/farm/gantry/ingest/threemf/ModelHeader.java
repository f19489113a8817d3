package farm.gantry.ingest.threemf;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import farm.gantry.ingest.threemf.archive.SafeXml;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.part.PartMetadata.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The model's own metadata, which stands before its meshes, so that a large model is not read for it. */
record ModelHeader(Map<String, String> metadata) {
    private static final int MAX_LENGTH = 16 << 20;
    private static final Set<String> KNOWN = Set.of("Application", "OrcaSlicer");
    private static final Pattern MESHES = Pattern.compile("(?:.*:)?(?:resources|build)");
    private static final Pattern APPLICATION =
            Pattern.compile("(BambuStudio|PrusaSlicer|SuperSlicer|(?:\\S+ )?Orca\\S*?)[- ]v?(\\d.*)");
    private static final Pattern BAMBU_VERSION = Pattern.compile("\\d\\d\\.\\d\\d\\.\\d\\d\\.\\d\\d");

    static ModelHeader read(ThreemfArchive archive, String model) throws IOException {
        Map<String, String> metadata = new HashMap<>();
        try (InputStream in = archive.stream(model, MAX_LENGTH)) {
            XMLStreamReader reader = SafeXml.reader(in);
            String open = "";
            while (reader.hasNext()) {
                int event = SafeXml.next(reader, model);
                if (event == XMLStreamConstants.START_ELEMENT) {
                    if (MESHES.matcher(reader.getLocalName()).matches()) {
                        break;
                    }
                    open = Objects.requireNonNullElse(reader.getAttributeValue(null, "name"), "");
                } else if (event == XMLStreamConstants.CHARACTERS && KNOWN.contains(open)) {
                    metadata.putIfAbsent(open, reader.getText());
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    open = "";
                }
            }
        } catch (XMLStreamException broken) {
            if (broken.getNestedException() instanceof BadFileException bad) {
                throw bad;
            }
            throw SafeXml.toBadFile(model, broken);
        }
        return new ModelHeader(metadata);
    }

    private String text(String name) {
        return metadata.getOrDefault(name, "").strip();
    }

    /**
     * Older OrcaSlicers claim to be Bambu Studio: what gives them away is a version without leading zeros and no
     * client version.
     */
    Slicer slicer(SliceInfo slices) {
        String orca = text("OrcaSlicer").isEmpty() ? slices.header("OrcaSlicer-Version") : text("OrcaSlicer");
        if (!orca.isEmpty()) {
            return new Slicer("OrcaSlicer", orca, Engine.slicer1);
        }
        var application = APPLICATION.matcher(text("Application"));
        if (!application.matches()) {
            return Slicer.UNKNOWN;
        }
        String name = application.group(1);
        String version = application.group(2);
        return switch (name) {
            case "PrusaSlicer" -> new Slicer(name, version, Engine.slicer3);
            case "SuperSlicer" -> new Slicer(name, version, Engine.slicer4);
            case "BambuStudio" ->
                BAMBU_VERSION.matcher(version).lookingAt()
                                || !slices.header("X-BBL-Client-Version").isEmpty()
                        ? new Slicer(name, version, Engine.slicer2)
                        : new Slicer("OrcaSlicer", version, Engine.slicer1);
            default -> new Slicer("OrcaSlicer", version, Engine.slicer1);
        };
    }
}
