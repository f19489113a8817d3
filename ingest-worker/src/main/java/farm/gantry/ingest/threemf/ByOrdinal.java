package farm.gantry.ingest.threemf;

import farm.gantry.ingest.threemf.Repack.Content;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The project's tables that name objects by their place in the file; {@code ordinals} maps kept places to new ones. */
record ByOrdinal(Archive archive, Map<Integer, Integer> ordinals) {
    private static final String HEIGHTS = "Metadata/layer_heights_profile.txt";
    private static final String BRIM_EARS = "Metadata/brim_ear_points.txt";
    private static final String RANGES = "Metadata/layer_config_ranges.xml";
    private static final String CUTS = "Metadata/cut_information.xml";
    private static final int LARGEST = 8 << 20;
    private static final Pattern LINE = Pattern.compile("object_id=(\\d{1,6})\\|(.*)");

    void renumber(Map<String, Content> changed) throws IOException {
        for (String name : new String[] {HEIGHTS, BRIM_EARS}) {
            if (archive.has(name)) {
                changed.put(name, Content.of(lines(name).getBytes(StandardCharsets.UTF_8)));
            }
        }
        for (String name : new String[] {RANGES, CUTS}) {
            if (archive.has(name)) {
                changed.put(name, Content.of(elements(name).written()));
            }
        }
    }

    private String lines(String name) throws IOException {
        return new String(archive.read(name, LARGEST), StandardCharsets.UTF_8)
                .lines()
                .flatMap(line -> Stream.ofNullable(line(line)))
                .collect(Collectors.joining("\n"));
    }

    private @Nullable String line(String line) {
        var object = LINE.matcher(line);
        if (!object.matches()) {
            return line;
        }
        Integer kept = ordinals.get(Integer.valueOf(object.group(1)));
        return kept == null ? null : "object_id=" + kept + "|" + object.group(2);
    }

    private Element elements(String name) throws IOException {
        Element root = Element.root(archive, name, LARGEST);
        return new Element(
                root.name(),
                root.attributes(),
                root.children().stream()
                        .flatMap(child -> child.name().equals("object") ? object(child) : Stream.of(child))
                        .toList());
    }

    private Stream<Element> object(Element object) {
        Integer id = Values.integer(object.attribute("id"));
        Integer kept = id == null ? null : ordinals.get(id);
        return kept == null
                ? Stream.empty()
                : Stream.of(new Element(
                        object.name(),
                        object.attributes().entrySet().stream()
                                .collect(Collectors.toMap(
                                        Map.Entry::getKey,
                                        attribute -> attribute.getKey().equals("id")
                                                ? kept.toString()
                                                : attribute.getValue())),
                        object.children()));
    }
}
