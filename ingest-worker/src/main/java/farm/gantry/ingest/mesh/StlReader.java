package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.PartReader;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.part.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads STL files, which have a mesh and no metadata. */
public final class StlReader implements PartReader {

    @Override
    public ReadResult read(Path file) throws IOException {
        StlFile.read(file);
        return ReadResult.empty(Part.Type.stl);
    }

    /** The scene, as that of plate 0. */
    public SortedMap<Integer, Scene> plates(Path file) throws IOException {
        return new TreeMap<>(Map.of(0, Scene.of("part", StlFile.read(file))));
    }
}
