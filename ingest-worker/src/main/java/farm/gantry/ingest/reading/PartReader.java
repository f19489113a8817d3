package farm.gantry.ingest.reading;

import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads one kind of part file. A fault of the file is a {@link BadFileException}. */
public interface PartReader {

    ReadResult read(Path file) throws IOException;

    /**
     * Summarizes the moves of a plate, which takes longer than to read the metadata; called only for
     * plates that the file's {@link ReadResult} has a G-code of.
     */
    default ToolpathSummary toolpath(Path file, int plate, Slicer slicer, ExtrusionListener listener)
            throws IOException {
        throw new BadFileException("The file has no moves");
    }

    /** The pictures inside the file, each written into the folder under the name it is to be kept by. */
    default List<Picture> pictures(Path file, Path folder) throws IOException {
        return List.of();
    }

    /** One printable file per plate, written into the folder; empty where the file need not be taken apart. */
    default SortedMap<Integer, Path> split(Path file, Path folder) throws IOException {
        return new TreeMap<>();
    }
}
