package farm.gantry.ingest.reading;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads one kind of part file. A fault of the file is a {@link BadFileException}. */
public interface PartReader {

    Reading read(Path file) throws IOException;

    /** What the moves of the file come to, which takes longer than to read what it says of itself; null without moves. */
    default @Nullable Toolpath toolpath(Path file, Reading reading) throws IOException {
        return null;
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
