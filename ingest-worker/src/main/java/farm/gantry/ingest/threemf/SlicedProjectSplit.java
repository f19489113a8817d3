package farm.gantry.ingest.threemf;

import farm.gantry.ingest.threemf.archive.ArchiveRewrite;
import farm.gantry.ingest.threemf.archive.ArchiveRewrite.EntryContent;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Splits a sliced project into archives of one plate each, which printers accept. */
record SlicedProjectSplit(ThreemfArchive archive, Path folder) {
    private static final Pattern OF_ONE_PLATE =
            Pattern.compile("Metadata/(?:plate|plate_no_light|top|pick)_(\\d{1,3})(?:_small)?\\.(?:\\w+|gcode\\.md5)");

    /** Returns one archive per plate. A file of one plate is returned as it is. */
    SortedMap<Integer, Path> splitPlates(Path whole) throws IOException {
        var plates = PlateGcode.findEntries(archive);
        SortedMap<Integer, Path> pieces = new TreeMap<>();
        for (int plate : plates.keySet()) {
            pieces.put(plate, plates.size() == 1 ? whole : writePlate(plate));
        }
        return pieces;
    }

    private Path writePlate(int plate) throws IOException {
        return new ArchiveRewrite(archive)
                .write(folder.resolve("plate_" + plate + ".gcode.3mf"), name -> belongsTo(plate, name), changed(plate));
    }

    static boolean belongsTo(int plate, String name) {
        var ofOne = OF_ONE_PLATE.matcher(name);
        return !ofOne.matches() || Integer.parseInt(ofOne.group(1)) == plate;
    }

    private Map<String, EntryContent> changed(int plate) throws IOException {
        XmlElement settings = XmlElement.root(archive, ThreemfArchive.BAMBU_SETTINGS, PlateParser.MAX_SIZE)
                .with(child -> !child.name().equals("plate") || Objects.equals(PlateParser.idOf(child), plate));
        XmlElement slices = SliceInfo.read(archive)
                .root()
                .with(child -> !child.name().equals("plate") || SliceInfo.isPlate(child, plate));
        Map<String, EntryContent> changed = new HashMap<>();
        changed.put(ThreemfArchive.BAMBU_SETTINGS, EntryContent.of(settings.toXml()));
        changed.put(SliceInfo.NAME, EntryContent.of(slices.toXml()));
        new PlateRelationships(archive, plate, name -> belongsTo(plate, name)).rewrite(changed);
        return changed;
    }
}
