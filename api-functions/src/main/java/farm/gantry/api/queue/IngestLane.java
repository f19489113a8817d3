package farm.gantry.api.queue;

import farm.gantry.part.Part;

/**
 * Lanes of ingest: files that take similar time to read share a queue with its own readers, so that slow files do not
 * delay fast ones.
 */
public enum IngestLane {
    /** G-code, which is only read. */
    PLAIN(QueueNames.INGEST),
    /** Meshes, which are loaded into memory, rendered and sliced for an estimate. */
    MODEL(QueueNames.INGEST_MODEL),
    /** Files that may take minutes and much memory: parametric models and large files. */
    HEAVY(QueueNames.INGEST_HEAVY);

    private static final long MAX_BYTES = 20L << 20;
    /** 3MF projects are compressed and several times larger when unpacked. */
    private static final long MAX_PACKED_BYTES = MAX_BYTES / 5;

    private final String queue;

    IngestLane(String queue) {
        this.queue = queue;
    }

    /** Returns the lane of a part with that type and file size. */
    public static IngestLane of(Part.Type type, long bytes) {
        return switch (type) {
            case gcode, gcode3mf -> bytes > MAX_BYTES ? HEAVY : PLAIN;
            case stl -> bytes > MAX_BYTES ? HEAVY : MODEL;
            case THREE_MF -> bytes > MAX_PACKED_BYTES ? HEAVY : MODEL;
            case scad, cadquery, build123d, step -> HEAVY;
        };
    }

    /** Returns the queue of this lane's ingest requests. */
    public String queue() {
        return queue;
    }
}
