package farm.gantry.edge.printer;

import farm.gantry.edge.file.Layers;
import farm.gantry.edge.journal.Job;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts layers by the position in the file, for printers that do not report layers. */
final class LayerCount {
    private final Reader reader;
    private volatile @Nullable Sliced sliced;

    LayerCount(Reader reader) {
        this.reader = reader;
    }

    /** Finds where the layers of a job's file begin, in its own time. */
    interface Reader {
        void read(Job job, Consumer<Layers> found);
    }

    /** The layers of the file that was started last; empty until they have been read. */
    private record Sliced(String fileName, Layers layers) {}

    /** The reading with its layer, if it shows the job that was started. */
    Reading counted(Reading reading, @Nullable Job started) {
        Reading.File file = reading.file();
        if (started == null || file == null || !file.isPlaced() || !file.name().equals(started.fileName())) {
            return reading;
        }
        Sliced known = sliced;
        if (known == null || !known.fileName().equals(started.fileName())) {
            sliced = new Sliced(started.fileName(), new Layers(List.of()));
            reader.read(started, layers -> sliced = new Sliced(started.fileName(), layers));
            return reading;
        }
        return reading.in(known.layers());
    }
}
