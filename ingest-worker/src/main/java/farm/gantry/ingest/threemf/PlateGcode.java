package farm.gantry.ingest.threemf;

import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.part.Part;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The sliced plates of an archive, by its entries. */
final class PlateGcode {
    private static final Pattern ENTRY = Pattern.compile("Metadata/plate_([1-9]\\d{0,2})\\.gcode");
    private static final String OBJECTS = "3D/Objects/";

    private PlateGcode() {}

    static SortedMap<Integer, String> findEntries(ThreemfArchive archive) {
        SortedMap<Integer, String> plates = new TreeMap<>();
        for (String name : archive.names()) {
            var entry = ENTRY.matcher(name);
            if (entry.matches()) {
                plates.put(Integer.valueOf(entry.group(1)), name);
            }
        }
        return plates;
    }

    static Part.Type detectType(ThreemfArchive archive, Part.Type claimed) {
        if (findEntries(archive).isEmpty()) {
            return Part.Type.THREE_MF;
        }
        boolean sliceable = archive.names().stream().anyMatch(name -> name.startsWith(OBJECTS));
        return sliceable && claimed == Part.Type.THREE_MF ? Part.Type.THREE_MF : Part.Type.gcode3mf;
    }
}
