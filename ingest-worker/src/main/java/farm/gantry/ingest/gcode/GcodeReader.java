package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import farm.gantry.ingest.reading.PartReader;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.reading.ToolpathSummary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads plain G-code; that of an unknown slicer is printable too. */
public final class GcodeReader implements PartReader {
    private static final SlicerSettings NO_PROJECT = (key, separator) -> List.of();

    /** The metadata at the head of a G-code in an archive, over the settings of its project. */
    public static GcodeMetadata readHead(InputStream gcode, SlicerSettings project) throws IOException {
        return SlicerDialects.read(GcodeComments.parse(HeadAndTail.readHead(gcode)), project);
    }

    /** The metadata of a G-code's head and tail. */
    public static GcodeMetadata read(byte[] head, byte[] tail) {
        return SlicerDialects.read(GcodeComments.parse(new HeadAndTail(head, tail)), NO_PROJECT);
    }

    @Override
    public ReadResult read(Path file) throws IOException {
        return ReadResult.of(readMetadata(file));
    }

    @Override
    public ToolpathSummary toolpath(Path file, int plate, Slicer slicer, ExtrusionListener listener)
            throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return ToolpathParser.parse(in, slicer, listener);
        }
    }

    /** The G-code's metadata. */
    public static GcodeMetadata readMetadata(Path file) throws IOException {
        return SlicerDialects.read(GcodeComments.parse(HeadAndTail.read(file)), NO_PROJECT);
    }

    @Override
    public List<Picture> pictures(Path file, Path folder) throws IOException {
        byte[] header = GxHeader.readPicture(file);
        Path largest = header == null
                ? CommentThumbnails.extractLargest(HeadAndTail.read(file), folder)
                : Files.write(folder.resolve("thumbnail.png"), header);
        return largest == null ? List.of() : List.of(new Picture(Picture.Use.THUMBNAIL, 0, largest));
    }
}
