package farm.gantry.ingest.threemf;

import farm.gantry.ingest.threemf.archive.ArchiveRewrite.EntryContent;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The project's tables that refer to objects by position in the file; {@code ordinals} maps old positions to new ones. */
record ObjectTables(ThreemfArchive archive, Map<Integer, Integer> ordinals) {
    private static final String HEIGHTS = "Metadata/layer_heights_profile.txt";
    private static final String BRIM_EARS = "Metadata/brim_ear_points.txt";
    private static final String RANGES = "Metadata/layer_config_ranges.xml";
    private static final String CUTS = "Metadata/cut_information.xml";
    private static final int MAX_SIZE = 8 << 20;
    private static final Pattern LINE = Pattern.compile("object_id=(\\d{1,6})\\|(.*)");

    void renumber(Map<String, EntryContent> changed) throws IOException {
        for (String name : new String[] {HEIGHTS, BRIM_EARS}) {
            if (archive.has(name)) {
                changed.put(name, EntryContent.of(lines(name).getBytes(StandardCharsets.UTF_8)));
            }
        }
        for (String name : new String[] {RANGES, CUTS}) {
            if (archive.has(name)) {
                changed.put(name, EntryContent.of(elements(name).toXml()));
            }
        }
    }

    private String lines(String name) throws IOException {
        return new String(archive.read(name, MAX_SIZE), StandardCharsets.UTF_8)
                .lines()
                .flatMap(line -> Stream.ofNullable(line(line)))
                .collect(Collectors.joining("\n"));
    }

    private @Nullable String line(String line) {
        var object = LINE.matcher(line);
        if (!object.matches()) {
            return line;
        }
        Integer ordinal = ordinals.get(Integer.valueOf(object.group(1)));
        return ordinal == null ? null : "object_id=" + ordinal + "|" + object.group(2);
    }

    private XmlElement elements(String name) throws IOException {
        XmlElement root = XmlElement.root(archive, name, MAX_SIZE);
        return new XmlElement(
                root.name(),
                root.attributes(),
                root.children().stream()
                        .flatMap(child -> child.name().equals("object") ? object(child) : Stream.of(child))
                        .toList());
    }

    private Stream<XmlElement> object(XmlElement object) {
        Integer id = AttributeValues.integer(object.attribute("id"));
        Integer ordinal = id == null ? null : ordinals.get(id);
        return ordinal == null
                ? Stream.empty()
                : Stream.of(new XmlElement(
                        object.name(),
                        object.attributes().entrySet().stream()
                                .collect(Collectors.toMap(
                                        Map.Entry::getKey,
                                        attribute -> attribute.getKey().equals("id")
                                                ? ordinal.toString()
                                                : attribute.getValue())),
                        object.children()));
    }
}
