package farm.gantry.ingest.reading;

import java.nio.file.Path;

/** An image out of a part file, written to a file of its own; a picture of the whole part has plate 0. */
public record Picture(Use use, int plateId, Path file) {

    /**
     * What the image shows: the plate or part as rendered by the worker, as rendered by its slicer, from above, or
     * with a colour for each object.
     */
    public enum Use {
        RENDERED,
        THUMBNAIL,
        TOP,
        PICK
    }
}
