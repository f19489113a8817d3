package farm.gantry.ingest.mesh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;

/** Reads the meshes of one kind of part file. */
public interface SceneReader {

    /** What stands on each plate, from its own corner; a file without plates is plate 0. */
    SortedMap<Integer, Scene> plates(Path file) throws IOException;
}
