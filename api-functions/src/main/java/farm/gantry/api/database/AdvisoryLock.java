package farm.gantry.api.database;

/**
 * Advisory locks of a store, in the order in which a transaction takes them; taking them in another order can deadlock. Rows
 * are locked after {@link #FILES}, see {@link Tx}.
 */
public enum AdvisoryLock {
    /** A scheduling round. */
    SCHEDULE("schedule"),
    /** Uploads of a slicer with the same file; the key is its hash. */
    UPLOADED_FILE("uploadedFile"),
    /** Changes of the folder tree. */
    FOLDERS("folders"),
    /** Changes of filaments that must stay unique. */
    FILAMENTS("filaments"),
    /** Changes of the layouts, of which one is the default. */
    LAYOUTS("layouts"),
    /** Changes of the notification settings. */
    WEBHOOK("webhook"),
    /** Changes that could remove the last key with full access. */
    OWNER_KEY("owner key"),
    /** Files that a drive sends. */
    DRIVE("drive"),
    /** Changes of the list of ignored SKUs. */
    IGNORED_SKUS("ignoredSkus"),
    /** Orders with the same external id; the key is the integration and that id. */
    ORDER("order"),
    /** Customers with the same details; the key is these details. */
    CUSTOMER("customer"),
    /** References to stored files: shared to add some, exclusive to delete files. */
    FILES("files"),
    /** Totals of SKUs. */
    COSTS("costs"),
    /** Settings of slices: shared to request slices, exclusive to change the settings. */
    SLICES("slices"),
    /** Positions in the queue. */
    QUEUE("queue");

    private final String key;

    AdvisoryLock(String key) {
        this.key = key;
    }

    /** Returns the key in PostgreSQL; versions that run side by side during an upgrade must agree on it. */
    String key() {
        return key;
    }
}
