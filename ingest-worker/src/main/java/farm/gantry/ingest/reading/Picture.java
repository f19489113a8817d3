package farm.gantry.ingest.reading;

import java.nio.file.Path;

/** An image out of a part file, written to a file of its own; a picture of the whole part has plate 0. */
public record Picture(Use use, int plateId, Path file) {

    /**
     * What it shows: the plate or part as drawn here, the same as its slicer drew it, the plate from above, or the plate
     * with a colour for each object.
     */
    public enum Use {
        RENDERED,
        THUMBNAIL,
        TOP,
        PICK
    }
}
