package farm.gantry.api.main.admin;

import farm.gantry.CrashPoint;
import farm.gantry.StoreId;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.StoreRecords;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.main.BackupArchive;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.file.FileUri;
import farm.gantry.version.ProductVersion;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Adds the store of an archive to this installation: its files first, then all its records in one transaction. An
 * interrupted import can be repeated.
 */
record StoreImport(ApplicationContext context, Path archive, TransferKey key) {

    /** The store, and the number of its records and files. */
    record Result(String storeId, long records, int files) {}

    Result run() throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            BackupArchive.verifyEnd(archive);
            BackupArchive.verifyChecksums(zip);
            return run(zip);
        } catch (ZipException e) {
            throw new IOException(archive + " is not a complete archive: " + e.getMessage(), e);
        }
    }

    private Result run(ZipFile zip) throws IOException {
        StoreManifest manifest = readManifest(zip);
        StoreRecords records = context.getBean(StoreRecords.class);
        if (!manifest.schema().equals(records.schema())) {
            throw new IOException("the archive was made by Gantry " + manifest.version()
                    + " with other tables than those of this installation, which is " + ProductVersion.CURRENT.text()
                    + ": upgrade the older installation first, then repeat the export");
        }
        StoreId store = records.requireAbsent(manifest.storeId());
        Map<Integer, Integer> peppers = matchPeppers(manifest);
        int files = copyFiles(zip, store);
        CrashPoint.reached("files-imported");
        Secrets secrets = context.getBean(Secrets.class);
        records.write(
                store,
                manifest.tables(),
                peppers,
                row -> secrets.encryptTransferred(row, key.cipher()),
                table -> open(zip, StoreManifest.RECORDS + table));
        context.findBean(StoreActivity.class).ifPresent(activity -> activity.touch(store));
        return new Result(manifest.storeId(), manifest.recordCount(), files);
    }

    private StoreManifest readManifest(ZipFile zip) throws IOException {
        try (InputStream json = open(zip, StoreManifest.ENTRY)) {
            return context.getBean(JsonCodec.class)
                    .read(new String(json.readAllBytes(), StandardCharsets.UTF_8), Argument.of(StoreManifest.class));
        }
    }

    private static InputStream open(ZipFile zip, String name) throws IOException {
        ZipEntry entry = zip.getEntry(name);
        if (entry == null) {
            throw new IOException("the archive does not contain a store: it has no " + name);
        }
        return zip.getInputStream(entry);
    }

    /**
     * Returns this installation's version of each pepper that the store's hashes use. Throws, with the remedy, if it lacks
     * one, because keys and agents would be rejected.
     */
    private Map<Integer, Integer> matchPeppers(StoreManifest manifest) throws IOException {
        Pepper pepper = context.getBean(Pepper.class);
        Map<Integer, Integer> versions = new LinkedHashMap<>();
        Optional<String> needed = Optional.empty();
        for (Map.Entry<String, String> source : manifest.peppers().entrySet()) {
            String value = key.decrypt(source.getValue());
            Optional<Integer> known = pepper.findVersion(value);
            if (known.isPresent()) {
                versions.put(Integer.valueOf(source.getKey()), known.get());
            } else {
                needed = Optional.of(
                        new Pepper(needed.orElse(pepper.text())).rotate(value).announced());
            }
        }
        if (needed.isPresent()) {
            throw new IOException(
                    "nothing was imported: API keys, sessions and agents of the store need a pepper of the"
                            + " installation that it comes from. Set it for every process, or write it into the file \"pepper\" of"
                            + " the data folder; restart the processes, and repeat the import: GANTRY_PEPPER='"
                            + needed.get()
                            + "'");
        }
        return versions;
    }

    private int copyFiles(ZipFile zip, StoreId store) throws IOException {
        FileStorage storage = context.getBean(FileStorage.class);
        int count = 0;
        for (ZipEntry entry : Collections.list(zip.entries())) {
            if (entry.getName().startsWith(StoreManifest.FILES)) {
                String path = entry.getName().substring(StoreManifest.FILES.length());
                FileUri uri = FileUri.parse(path.replaceFirst("/", ":"))
                        .filter(found -> found.storeId().equals(store.value()))
                        .orElseThrow(() -> new IOException("the archive has a file of another store: " + path));
                try (InputStream bytes = zip.getInputStream(entry)) {
                    storage.write(uri, bytes, Long.MAX_VALUE);
                }
                count++;
            }
        }
        return count;
    }
}
