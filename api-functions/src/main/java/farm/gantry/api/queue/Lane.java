package farm.gantry.api.queue;

import farm.gantry.part.Part;

/**
 * Files that take about as long to read wait for each other and for nobody else: each lane is a queue with readers of its
 * own.
 */
public enum Lane {
    /** G-code, which is only read. */
    PLAIN(Queues.INGEST),
    /** Meshes, which are held in memory, drawn and sliced for their estimate. */
    MODEL(Queues.INGEST_MODEL),
    /** Whatever may take minutes and much memory: models that a program renders, and large files. */
    HEAVY(Queues.INGEST_HEAVY);

    private static final long MAX_BYTES = 20L << 20;
    /** A 3MF project is a compressed text, and a fraction of what is read from it. */
    private static final long MAX_PACKED_BYTES = MAX_BYTES / 5;

    private final String queue;

    Lane(String queue) {
        this.queue = queue;
    }

    /** The lane of a part of that type whose files have so many bytes. */
    public static Lane of(Part.Type type, long bytes) {
        return switch (type) {
            case gcode, gcode3mf -> bytes > MAX_BYTES ? HEAVY : PLAIN;
            case stl -> bytes > MAX_BYTES ? HEAVY : MODEL;
            case THREE_MF -> bytes > MAX_PACKED_BYTES ? HEAVY : MODEL;
            case scad, cadquery, build123d, step -> HEAVY;
        };
    }

    /** The queue of this lane's ingest requests. */
    public String queue() {
        return queue;
    }
}
