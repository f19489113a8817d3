package farm.gantry.ingest.threemf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Takes a sliced project apart into archives of one plate each, which printers take as they are. */
record PlateSplit(Archive archive, Path folder) {
    private static final String GCODE_RELATIONSHIPS = "Metadata/_rels/model_settings.config.rels";
    private static final int LARGEST_RELATIONSHIPS = 1 << 20;
    private static final Pattern OF_ONE_PLATE =
            Pattern.compile("Metadata/(?:plate|plate_no_light|top|pick)_(\\d{1,3})(?:_small)?\\.(?:\\w+|gcode\\.md5)");
    private static final Pattern PLATE_PICTURE = Pattern.compile("(/Metadata/plate_)\\d{1,3}((?:_small)?\\.png)");

    /** A file of one plate is its own piece. */
    SortedMap<Integer, Path> pieces(Path whole) throws IOException {
        var plates = PlateGcode.in(archive);
        SortedMap<Integer, Path> pieces = new TreeMap<>();
        for (int plate : plates.keySet()) {
            pieces.put(plate, plates.size() == 1 ? whole : piece(plate));
        }
        return pieces;
    }

    private Path piece(int plate) throws IOException {
        Map<String, byte[]> changed = changed(plate);
        Path piece = folder.resolve("plate_" + plate + ".gcode.3mf");
        try (var zip = new ZipOutputStream(Files.newOutputStream(piece), StandardCharsets.UTF_8)) {
            for (String name : archive.names()) {
                byte[] content = changed.get(name);
                if (content != null) {
                    zip.putNextEntry(entry(name));
                    zip.write(content);
                } else if (belongsTo(plate, name)) {
                    copy(zip, name);
                }
            }
        }
        return piece;
    }

    private static boolean belongsTo(int plate, String name) {
        var ofOne = OF_ONE_PLATE.matcher(name);
        return !ofOne.matches() || Integer.parseInt(ofOne.group(1)) == plate;
    }

    /** What is packed stays packed and what is not stays so: pictures gain nothing from it. */
    private void copy(ZipOutputStream zip, String name) throws IOException {
        ZipEntry original = archive.entry(name);
        ZipEntry copy = entry(name);
        copy.setMethod(original.getMethod());
        if (original.getMethod() == ZipEntry.STORED) {
            copy.setSize(original.getSize());
            copy.setCrc(original.getCrc());
        }
        zip.putNextEntry(copy);
        try (InputStream in = archive.stream(name)) {
            in.transferTo(zip);
        }
    }

    /** With the time of the original, so that splitting again gives the same bytes. */
    private ZipEntry entry(String name) throws IOException {
        var entry = new ZipEntry(name);
        entry.setTimeLocal(archive.entry(name).getTimeLocal());
        return entry;
    }

    private Map<String, byte[]> changed(int plate) throws IOException {
        Element settings = Element.root(archive, Plates.NAME, Plates.LARGEST)
                .with(child -> !child.name().equals("plate") || Objects.equals(Plates.idOf(child), plate));
        Element slices = SliceInfo.of(archive)
                .root()
                .with(child -> !child.name().equals("plate") || SliceInfo.isPlate(child, plate));
        Element gcode = Element.root(archive, GCODE_RELATIONSHIPS, LARGEST_RELATIONSHIPS)
                .with(child -> belongsTo(plate, target(child)));
        return Map.of(
                Plates.NAME,
                settings.written(),
                SliceInfo.NAME,
                slices.written(),
                GCODE_RELATIONSHIPS,
                gcode.written(),
                Relationships.NAME,
                cover(plate).written());
    }

    private static String target(Element relationship) {
        return Objects.requireNonNullElse(relationship.attribute("Target"), "").replaceFirst("^/", "");
    }

    /** The whole was shown by its first plate; the piece is shown by its own. */
    private Element cover(int plate) throws IOException {
        Element relationships = Relationships.of(archive).root();
        return new Element(
                relationships.name(),
                relationships.attributes(),
                relationships.children().stream()
                        .map(child -> retargeted(child, plate))
                        .toList());
    }

    private static Element retargeted(Element relationship, int plate) {
        Map<String, String> attributes = new TreeMap<>(relationship.attributes());
        attributes.computeIfPresent(
                "Target",
                (key, target) ->
                        PLATE_PICTURE.matcher(target).replaceAll(part -> part.group(1) + plate + part.group(2)));
        return new Element(relationship.name(), attributes, relationship.children());
    }
}
