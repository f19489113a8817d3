package farm.gantry.edge.printer;

import farm.gantry.edge.file.LayerIndex;
import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterStatus;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Computes the current layer from the position in the file, for printers that do not report layers. */
final class LayerCounter {
    private final LayerReader reader;
    private volatile @Nullable FileLayers sliced;

    LayerCounter(LayerReader reader) {
        this.reader = reader;
    }

    /** Reads asynchronously at which positions the layers of a job's file begin. */
    interface LayerReader {
        void read(Job job, Consumer<LayerIndex> found);
    }

    /** The layers of the file that was started last; empty until they have been read. */
    private record FileLayers(String fileName, LayerIndex layers) {}

    /** Returns the status with its layer added if it shows the started job, otherwise unchanged. */
    PrinterStatus withLayer(PrinterStatus reading, @Nullable Job started) {
        PrinterStatus.File file = reading.file();
        if (started == null
                || file == null
                || !file.hasPosition()
                || !file.name().equals(started.fileName())) {
            return reading;
        }
        FileLayers known = sliced;
        if (known == null || !known.fileName().equals(started.fileName())) {
            sliced = new FileLayers(started.fileName(), new LayerIndex(List.of()));
            reader.read(started, layers -> sliced = new FileLayers(started.fileName(), layers));
            return reading;
        }
        return reading.withLayer(known.layers());
    }
}
