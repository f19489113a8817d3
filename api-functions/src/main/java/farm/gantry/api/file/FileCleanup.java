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
    private static final String MADE = "made/";

    /** Retention of generated files; a part is often printed again with the same profile. */
    private static final Duration MADE_KEPT = Duration.ofDays(30);

    private static final Logger LOG = LoggerFactory.getLogger(FileCleanup.class);
    private static final int AT_ONCE = 100;

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
            List<String> first = changed.stream().limit(AT_ONCE).toList();
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
    public void cleanUpTurn(long turn, int turns) {
        cleanUpAll(partId -> Math.floorMod(partId.hashCode() - turn, turns) == 0);
    }

    /** Tries all stores, then throws the first failure. */
    private void cleanUpAll(Predicate<String> isLookedInto) {
        RuntimeException first = null;
        for (StoreId store : database.stores("all_stores")) {
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
        files.owners(store.value()).stream()
                .gather(Gatherers.windowFixed(AT_ONCE))
                .forEach(ids -> cleanUp(store, ids, isLookedInto));
    }

    private void cleanUp(StoreId store, List<String> ids, Predicate<String> isLookedInto) {
        database.in(store, tx -> {
            if (!references.mayDelete(tx)) {
                return ids; // a running backup copies the files; the next sweep deletes them
            }
            references.lockExclusive(tx);
            Set<String> owners = references.owners(tx, ids);
            Set<String> others = new HashSet<>(ids);
            others.removeAll(owners);
            if (!others.isEmpty()) {
                others.removeAll(references.namedAnywhere(tx, others));
            }
            others.forEach(id -> files.deleteAll(store.value(), id));
            cleanUpParts(tx, owners.stream().filter(isLookedInto).toList());
            return ids;
        });
    }

    private void cleanUpParts(Tx tx, List<String> partIds) {
        String store = tx.store().value();
        Instant before = Instant.now().minus(MADE_KEPT);
        List<PartFile> entries = partIds.stream()
                .flatMap(id -> Stream.concat(uploadsAndRuns(store, id), made(store, id, before)))
                .toList();
        if (entries.isEmpty()) {
            return;
        }
        Set<String> withMade =
                entries.stream().filter(PartFile::isMade).map(PartFile::partId).collect(Collectors.toSet());
        // A worker may reuse a generated file in its result; files are safe to delete once no work refers to them.
        Set<String> inWork = withMade.isEmpty() ? Set.of() : references.inWork(tx, withMade);
        Set<FileReferenceRows.FileName> needed = new HashSet<>(
                references.named(tx, entries.stream().map(PartFile::named).toList()));
        if (!withMade.isEmpty()) {
            references
                    .slicesSince(tx, withMade, before)
                    .forEach(slice -> needed.add(new FileReferenceRows.FileName(slice.partId(), MADE + slice.name())));
        }
        entries.stream()
                .filter(entry -> !needed.contains(entry.named()))
                .filter(entry -> !(entry.isMade() && inWork.contains(entry.partId())))
                .forEach(entry -> files.delete(store, entry.partId(), entry.path()));
    }

    private Stream<PartFile> uploadsAndRuns(String store, String partId) {
        return Stream.concat(
                        files.entries(store, partId, "").stream().filter(Id::isValid),
                        files.entries(store, partId, RUNS).stream().map(run -> RUNS + run))
                .map(path -> new PartFile(partId, path));
    }

    private Stream<PartFile> made(String store, String partId, Instant before) {
        return files.entriesBefore(store, partId, MADE, before).stream().map(name -> new PartFile(partId, MADE + name));
    }

    /** A file in a part's folder. */
    private record PartFile(String partId, String path) {
        boolean isMade() {
            return path.startsWith(MADE);
        }

        FileReferenceRows.FileName named() {
            return new FileReferenceRows.FileName(partId, path.startsWith(RUNS) ? path.substring(RUNS.length()) : path);
        }
    }
}
