package farm.gantry.ingest.threemf;

import farm.gantry.ingest.threemf.ArchiveRewrite.EntryContent;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Takes a sliced project apart into archives of one plate each, which printers take as they are. */
record PlateSplit(ThreemfArchive archive, Path folder) {
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
        return new ArchiveRewrite(archive)
                .write(folder.resolve("plate_" + plate + ".gcode.3mf"), name -> belongsTo(plate, name), changed(plate));
    }

    static boolean belongsTo(int plate, String name) {
        var ofOne = OF_ONE_PLATE.matcher(name);
        return !ofOne.matches() || Integer.parseInt(ofOne.group(1)) == plate;
    }

    private Map<String, EntryContent> changed(int plate) throws IOException {
        XmlElement settings = XmlElement.root(archive, Plates.NAME, Plates.LARGEST)
                .with(child -> !child.name().equals("plate") || Objects.equals(Plates.idOf(child), plate));
        XmlElement slices = SliceInfo.of(archive)
                .root()
                .with(child -> !child.name().equals("plate") || SliceInfo.isPlate(child, plate));
        XmlElement gcode = XmlElement.root(archive, GCODE_RELATIONSHIPS, LARGEST_RELATIONSHIPS)
                .with(child -> belongsTo(plate, target(child)));
        return Map.of(
                Plates.NAME,
                EntryContent.of(settings.toXml()),
                SliceInfo.NAME,
                EntryContent.of(slices.toXml()),
                GCODE_RELATIONSHIPS,
                EntryContent.of(gcode.toXml()),
                Relationships.NAME,
                EntryContent.of(cover(plate).toXml()));
    }

    private static String target(XmlElement relationship) {
        return Objects.requireNonNullElse(relationship.attribute("Target"), "").replaceFirst("^/", "");
    }

    /** The whole was shown by its first plate; the piece is shown by its own. */
    private XmlElement cover(int plate) throws IOException {
        XmlElement relationships = Relationships.of(archive).root();
        return new XmlElement(
                relationships.name(),
                relationships.attributes(),
                relationships.children().stream()
                        .map(child -> retargeted(child, plate))
                        .toList());
    }

    private static XmlElement retargeted(XmlElement relationship, int plate) {
        Map<String, String> attributes = new TreeMap<>(relationship.attributes());
        attributes.computeIfPresent(
                "Target",
                (key, target) ->
                        PLATE_PICTURE.matcher(target).replaceAll(part -> part.group(1) + plate + part.group(2)));
        return new XmlElement(relationship.name(), attributes, relationship.children());
    }
}
