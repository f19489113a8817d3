package farm.gantry.api.file;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes files that are no longer needed. A part's folder holds its uploads, results of ingest runs and slicing, files
 * of builds and logs of jobs. It is kept while the part or an unfinished job of it exists. Of an existing part,
 * unreferenced uploads and runs are deleted, and files generated for parameters and profiles that were not used for 30
 * days.
 */
@Singleton
public final class FileCleanup {
    /** Folder of ingest runs in a part's folder. */
    public static final String RUNS = "runs/";

    /** Folder of generated meshes, images and G-code in a part's folder, named by the hash of their inputs. */
    private static final String GENERATED = "made/";

    /** Retention of generated files; a part is often printed again with the same profile. */
    private static final Duration GENERATED_RETENTION = Duration.ofDays(30);

    private static final Logger LOG = LoggerFactory.getLogger(FileCleanup.class);
    private static final int BATCH = 100;

    private final FileStorage files;
    private final Database database;
    private final FileReferenceRows references;

    FileCleanup(FileStorage files, Database database, FileReferenceRows references) {
        this.files = files;
        this.database = database;
        this.references = references;
    }

    /**
     * Cleans up the part's files after the commit. A transaction that changed very many parts leaves the rest to the
     * next sweep, because listing their folders in a bucket would delay the caller.
     */
    public void cleanUpAfterCommit(Tx tx, String partId) {
        StoreId store = tx.store();
        tx.onAllAfterCommit(FileCleanup.class, partId, changed -> {
            List<String> first = changed.stream().limit(BATCH).toList();
            try {
                cleanUp(store, first, _ -> true);
            } catch (RuntimeException e) { // the transaction is already committed
                LOG.warn("cannot delete unused files of part {}; the next sweep retries", first, e);
            }
        });
    }

    /** Cleans up the files of every store, for example after a crash. */
    public void cleanUpAll() {
        cleanUpAll(_ -> true);
    }

    /**
     * Cleans up one of {@code turns} shares of the parts per call. Listing a folder of a bucket takes one or two
     * requests; listing all each time would be expensive, exceed a function's time limit and block requests that create
     * parts.
     */
    public void cleanUpShare(long turn, int turns) {
        cleanUpAll(partId -> Math.floorMod(partId.hashCode() - turn, turns) == 0);
    }

    /** Tries all stores, then throws the first failure. */
    private void cleanUpAll(Predicate<String> isLookedInto) {
        RuntimeException first = null;
        for (StoreId store : database.findStores("all_stores")) {
            try {
                cleanUpStore(store, isLookedInto);
            } catch (RuntimeException e) {
                LOG.error("cannot delete unused files of store {}; the next sweep retries", store, e);
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void cleanUpStore(StoreId store, Predicate<String> isLookedInto) {
        files.listOwners(store.value()).stream()
                .gather(Gatherers.windowFixed(BATCH))
                .forEach(ids -> cleanUp(store, ids, isLookedInto));
    }

    private void cleanUp(StoreId store, List<String> ids, Predicate<String> isLookedInto) {
        database.in(store, tx -> {
            if (!references.mayDelete(tx)) {
                return ids; // a running backup copies the files; the next sweep deletes them
            }
            references.lockExclusive(tx);
            Set<String> owners = references.findOwners(tx, ids);
            Set<String> others = new HashSet<>(ids);
            others.removeAll(owners);
            if (!others.isEmpty()) {
                others.removeAll(references.findReferencedOwners(tx, others));
            }
            others.forEach(id -> files.deleteAll(store.value(), id));
            cleanUpParts(tx, owners.stream().filter(isLookedInto).toList());
            return ids;
        });
    }

    private void cleanUpParts(Tx tx, List<String> partIds) {
        String store = tx.store().value();
        Instant before = Instant.now().minus(GENERATED_RETENTION);
        List<PartFile> entries = partIds.stream()
                .flatMap(id -> Stream.concat(findUploadsAndRuns(store, id), findGenerated(store, id, before)))
                .toList();
        if (entries.isEmpty()) {
            return;
        }
        Set<String> withMade =
                entries.stream().filter(PartFile::isGenerated).map(PartFile::partId).collect(Collectors.toSet());
        // A worker may reuse a generated file in its result; files are safe to delete once no work refers to them.
        Set<String> inWork = withMade.isEmpty() ? Set.of() : references.findInWork(tx, withMade);
        Set<FileReferenceRows.FileName> needed = new HashSet<>(
                references.findReferenced(tx, entries.stream().map(PartFile::fileName).toList()));
        if (!withMade.isEmpty()) {
            references
                    .findSlicesSince(tx, withMade, before)
                    .forEach(slice -> needed.add(new FileReferenceRows.FileName(slice.partId(), GENERATED + slice.name())));
        }
        entries.stream()
                .filter(entry -> !needed.contains(entry.fileName()))
                .filter(entry -> !(entry.isGenerated() && inWork.contains(entry.partId())))
                .forEach(entry -> files.delete(store, entry.partId(), entry.path()));
    }

    private Stream<PartFile> findUploadsAndRuns(String store, String partId) {
        return Stream.concat(
                        files.listEntries(store, partId, "").stream().filter(Id::isValid),
                        files.listEntries(store, partId, RUNS).stream().map(run -> RUNS + run))
                .map(path -> new PartFile(partId, path));
    }

    private Stream<PartFile> findGenerated(String store, String partId, Instant before) {
        return files.listEntriesUnchangedSince(store, partId, GENERATED, before).stream().map(name -> new PartFile(partId, GENERATED + name));
    }

    /** A file in a part's folder. */
    private record PartFile(String partId, String path) {
        boolean isGenerated() {
            return path.startsWith(GENERATED);
        }

        FileReferenceRows.FileName fileName() {
            return new FileReferenceRows.FileName(partId, path.startsWith(RUNS) ? path.substring(RUNS.length()) : path);
        }
    }
}
