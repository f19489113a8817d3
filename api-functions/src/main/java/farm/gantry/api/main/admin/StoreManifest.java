package farm.gantry.api.main.admin;

import farm.gantry.api.database.StoreRecords;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;

/**
 * The description of an archive that contains a store.
 *
 * @param version product version that made the archive
 * @param schema digest of the database's tables
 * @param peppers values of the pepper that hashes of the store use, by version; encrypted with the transfer key
 */
@Serdeable
record StoreManifest(
        String version,
        String schema,
        String storeId,
        Map<String, StoreRecords.CopiedTable> tables,
        Map<String, String> peppers) {
    /** Name of the manifest in the archive. */
    static final String ENTRY = "store.json";

    /** Folder of the tables' rows in the archive. */
    static final String RECORDS = "records/";

    /** Folder of the store's files in the archive. */
    static final String FILES = "files/";

    /** Returns the number of records of all tables. */
    long recordCount() {
        return tables.values().stream()
                .mapToLong(StoreRecords.CopiedTable::rows)
                .sum();
    }
}
