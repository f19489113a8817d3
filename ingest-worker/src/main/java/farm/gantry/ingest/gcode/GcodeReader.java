package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.Extrusions;
import farm.gantry.ingest.reading.GcodeFacts;
import farm.gantry.ingest.reading.GcodeFacts.Slicer;
import farm.gantry.ingest.reading.PartReader;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Reading;
import farm.gantry.ingest.reading.Toolpath;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Plain G-code of any slicer the farm knows; one that it does not know is printed all the same. */
public final class GcodeReader implements PartReader {
    private static final Settings NO_PROJECT = (key, separator) -> List.of();

    /** What a G-code inside an archive says at its head, over the settings of the project around it. */
    public static GcodeFacts readHead(InputStream gcode, Settings project) throws IOException {
        return Dialects.read(Comments.of(Ends.ofHead(gcode)), project);
    }

    /** What the two ends of a G-code say, that is not itself a file. */
    public static GcodeFacts read(byte[] head, byte[] tail) {
        return Dialects.read(Comments.of(new Ends(head, tail)), NO_PROJECT);
    }

    @Override
    public Reading read(Path file) throws IOException {
        return facts(file).reading();
    }

    @Override
    public Toolpath toolpath(Path file, int plate, Slicer slicer, Extrusions extrusions) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return ToolpathParser.parse(in, slicer, extrusions);
        }
    }

    /** What the G-code says of itself. */
    public static GcodeFacts facts(Path file) throws IOException {
        return Dialects.read(Comments.of(Ends.of(file)), NO_PROJECT);
    }

    @Override
    public List<Picture> pictures(Path file, Path folder) throws IOException {
        byte[] header = Xgcode.picture(file);
        Path largest = header == null
                ? Thumbnails.largest(Ends.of(file), folder)
                : Files.write(folder.resolve("thumbnail.png"), header);
        return largest == null ? List.of() : List.of(new Picture(Picture.Use.thumbnail, 0, largest));
    }
}
