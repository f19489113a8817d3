package farm.gantry.ingest.file;

import farm.gantry.ingest.bgcode.BgcodeReader;
import farm.gantry.ingest.gcode.GcodeReader;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.StlReader;
import farm.gantry.ingest.reading.Content;
import farm.gantry.ingest.reading.Extrusions;
import farm.gantry.ingest.reading.GcodeFacts.Slicer;
import farm.gantry.ingest.reading.PartReader;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Reading;
import farm.gantry.ingest.reading.Toolpath;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.part.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Which reader takes which file. */
public final class FileReaders {
    private FileReaders() {}

    /** What the file says of itself; its {@code type} is what the content is, which may not be what was claimed. */
    public static Reading read(Path file, Part.Type claimed) throws IOException {
        return of(file, claimed).read(file);
    }

    /** What the moves of each plate come to; empty without moves. */
    public static SortedMap<Integer, Toolpath> toolpaths(Path file, Reading reading) throws IOException {
        SortedMap<Integer, Toolpath> toolpaths = new TreeMap<>();
        for (int plate : reading.gcode().keySet()) {
            toolpaths.put(plate, toolpath(file, reading, plate, Extrusions.IGNORED));
        }
        return toolpaths;
    }

    /** What the moves of a plate that has a G-code come to. */
    public static Toolpath toolpath(Path file, Reading reading, int plate, Extrusions extrusions) throws IOException {
        Slicer slicer = Objects.requireNonNull(reading.gcode().get(plate)).slicer();
        return of(file, reading.type()).toolpath(file, plate, slicer, extrusions);
    }

    /** The pictures inside the file, written into the folder. */
    public static List<Picture> pictures(Path file, Part.Type claimed, Path folder) throws IOException {
        return of(file, claimed).pictures(file, folder);
    }

    /** What stands on each plate, as far as there are meshes; a file without plates is plate 0. */
    public static SortedMap<Integer, Scene> scenes(Path file, Reading reading) throws IOException {
        return switch (reading.type()) {
            case gcode, gcode3mf -> new TreeMap<>();
            case THREE_MF -> new ThreemfReader(Part.Type.THREE_MF).plates(file);
            case stl -> new StlReader().plates(file);
            case step, scad, cadquery, build123d ->
                reading.mesh() == null ? new TreeMap<>() : new StlReader().plates(reading.mesh());
        };
    }

    /** Refuses a file that is not of the kind it claims to be. */
    public static PartReader of(Path file, Part.Type claimed) throws IOException {
        Content content = Content.of(file);
        content.requireFit(claimed);
        return switch (claimed) {
            case gcode, gcode3mf, THREE_MF ->
                switch (content) {
                    case zip -> new ThreemfReader(claimed);
                    case bgcode -> new BgcodeReader();
                    case empty, gcode, stl, step, text, binary -> new GcodeReader();
                };
            case stl -> new StlReader();
            case step, scad, cadquery, build123d -> model -> Reading.silent(claimed);
        };
    }
}
