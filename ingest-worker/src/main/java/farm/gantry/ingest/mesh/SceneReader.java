package farm.gantry.ingest.mesh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;

/** Reads the meshes of one kind of part file. */
public interface SceneReader {

    /** The scene on each plate, relative to the plate's corner; a file without plates is plate 0. */
    SortedMap<Integer, Scene> plates(Path file) throws IOException;
}
