package farm.gantry.ingest.file;

import farm.gantry.ingest.bgcode.BgcodeReader;
import farm.gantry.ingest.gcode.GcodeReader;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.StlReader;
import farm.gantry.ingest.reading.DetectedFileType;
import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import farm.gantry.ingest.reading.PartReader;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.reading.ToolpathSummary;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.part.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Chooses the reader of a file. */
public final class PartReaders {
    private PartReaders() {}

    /** The file's metadata; its {@code type} is that of the content, which may differ from the claimed one. */
    public static ReadResult read(Path file, Part.Type claimed) throws IOException {
        return chooseReader(file, claimed).read(file);
    }

    /** Summaries of each plate's moves; empty without moves. */
    public static SortedMap<Integer, ToolpathSummary> summarizeToolpaths(Path file, ReadResult reading)
            throws IOException {
        SortedMap<Integer, ToolpathSummary> toolpaths = new TreeMap<>();
        for (int plate : reading.gcode().keySet()) {
            toolpaths.put(plate, summarizeToolpath(file, reading, plate, ExtrusionListener.NONE));
        }
        return toolpaths;
    }

    /** The summary of the moves of a plate that has G-code. */
    public static ToolpathSummary summarizeToolpath(
            Path file, ReadResult reading, int plate, ExtrusionListener listener) throws IOException {
        Slicer slicer = Objects.requireNonNull(reading.gcode().get(plate)).slicer();
        return chooseReader(file, reading.type()).toolpath(file, plate, slicer, listener);
    }

    /** The pictures inside the file, written into the folder. */
    public static List<Picture> extractPictures(Path file, Part.Type claimed, Path folder) throws IOException {
        return chooseReader(file, claimed).pictures(file, folder);
    }

    /** Returns the scene of each plate, if the file has meshes. A file without plates is plate 0. */
    public static SortedMap<Integer, Scene> readScenes(Path file, ReadResult reading) throws IOException {
        return switch (reading.type()) {
            case gcode, gcode3mf -> new TreeMap<>();
            case THREE_MF -> new ThreemfReader(Part.Type.THREE_MF).plates(file);
            case stl -> new StlReader().plates(file);
            case step, scad, cadquery, build123d ->
                reading.mesh() == null ? new TreeMap<>() : new StlReader().plates(reading.mesh());
        };
    }

    /** Returns the reader for the file's content; throws if the content does not match the claimed type. */
    public static PartReader chooseReader(Path file, Part.Type claimed) throws IOException {
        DetectedFileType content = DetectedFileType.detect(file);
        content.requireType(claimed);
        return switch (claimed) {
            case gcode, gcode3mf, THREE_MF ->
                switch (content) {
                    case ZIP -> new ThreemfReader(claimed);
                    case BGCODE -> new BgcodeReader();
                    case EMPTY, GCODE, STL, STEP, TEXT, BINARY -> new GcodeReader();
                };
            case stl -> new StlReader();
            case step, scad, cadquery, build123d -> model -> ReadResult.empty(claimed);
        };
    }
}
