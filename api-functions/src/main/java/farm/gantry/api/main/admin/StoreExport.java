package farm.gantry.api.main.admin;

import farm.gantry.StoreId;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.database.MovedStores;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.StoreRecords;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.main.BackupArchive;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.file.FileUri;
import farm.gantry.version.ProductVersion;
import io.micronaut.context.ApplicationContext;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes a store into an archive. From its beginning on, the store is not served in this installation. */
record StoreExport(ApplicationContext context) {
    /** Transactions end sooner, because statements have a timeout. */
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofMinutes(2);

    private static final long MIN_FREE_BYTES = 1 << 20;

    /** The number of records and files in the archive. */
    record Result(long records, int files) {}

    Result write(String storeId, Path archive) throws IOException, InterruptedException {
        StoreId store = context.getBean(MovedStores.class).begin(storeId, TRANSACTION_TIMEOUT);
        // Idle agents of an installation on AWS are answered without the database until their store is used.
        context.findBean(StoreActivity.class).ifPresent(activity -> activity.touch(store));
        TransferKey key = TransferKey.create(TransferKey.fileOf(archive));
        try (BackupArchive zip = new BackupArchive(archive, MIN_FREE_BYTES)) {
            Secrets secrets = context.getBean(Secrets.class);
            StoreRecords.Copied copied = context.getBean(StoreRecords.class)
                    .read(
                            store,
                            row -> secrets.encryptForTransfer(row, key.cipher()),
                            (table, rows) -> zip.add(StoreManifest.RECORDS + table, rows));
            int files = addFiles(store, zip);
            StoreManifest manifest = manifest(store, copied, key);
            zip.add(StoreManifest.ENTRY, context.getBean(JsonCodec.class).write(manifest));
            zip.finish();
            return new Result(manifest.recordCount(), files);
        }
    }

    private int addFiles(StoreId store, BackupArchive zip) throws IOException {
        FileStorage storage = context.getBean(FileStorage.class);
        int count = 0;
        for (FileUri uri : storage.list(store.value())) {
            try (InputStream bytes = storage.open(uri)) {
                zip.add(StoreManifest.FILES + uri.path(), bytes);
                count++;
            } catch (NoSuchFileException | FileNotFoundException e) {
                throw new IOException(uri + " was deleted during the export; repeat the export", e);
            }
        }
        return count;
    }

    /** Includes the oldest pepper, with which idempotency keys are hashed. */
    private StoreManifest manifest(StoreId store, StoreRecords.Copied copied, TransferKey key) {
        Pepper pepper = context.getBean(Pepper.class);
        Map<String, String> peppers = new LinkedHashMap<>();
        pepper.values().forEach((version, value) -> {
            if (copied.pepperVersions().contains(version) || value.equals(pepper.oldest())) {
                peppers.put(version.toString(), key.encrypt(value));
            }
        });
        return new StoreManifest(
                ProductVersion.CURRENT.text(), copied.schema(), store.value(), copied.tables(), peppers);
    }
}
