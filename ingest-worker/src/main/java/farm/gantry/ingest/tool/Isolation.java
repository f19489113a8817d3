package farm.gantry.ingest.tool;

/** How this machine can isolate a tool. */
enum Isolation {
    BUBBLEWRAP,

    /** The namespaces of {@code unshare}. */
    NAMESPACES,

    NONE
}
