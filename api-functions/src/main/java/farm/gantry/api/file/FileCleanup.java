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
 * Deletes kept files that nothing needs. All files of a part lie in its folder: what was uploaded, what ingest runs and
 * slicing made, files of builds and logs of jobs. The folder lives as long as the part, or its unfinished jobs; of a
 * part that lives, uploads and runs that nothing names any more are deleted, and what was made of it for parameters and
 * profiles that nothing has needed for 30 days.
 */
@Singleton
public final class FileCleanup {
    /** Below a part's folder: each run has one of its own there. */
    public static final String RUNS = "runs/";

    /** Below a part's folder: meshes, pictures and G-code that can be made again, by the hash of what they are made of. */
    private static final String MADE = "made/";

    /** The same part is often printed again with the same profile. */
    private static final Duration MADE_KEPT = Duration.ofDays(30);

    private static final Logger LOG = LoggerFactory.getLogger(FileCleanup.class);
    private static final int AT_ONCE = 100;

    private final KeptFiles files;
    private final Database database;
    private final FileReferenceRows references;

    FileCleanup(KeptFiles files, Database database, FileReferenceRows references) {
        this.files = files;
        this.database = database;
        this.references = references;
    }

    /**
     * Cleans up the part's files after the transaction, which changed their references, has committed. Where it changed those
     * of very many parts, whose folders in a bucket whoever asked would wait for, the next sweep of all finds the rest.
     */
    public void cleanUpAfterCommit(Tx tx, String partId) {
        StoreId store = tx.store();
        tx.onAllAfterCommit(FileCleanup.class, partId, changed -> {
            List<String> first = changed.stream().limit(AT_ONCE).toList();
            try {
                cleanUp(store, first, _ -> true);
            } catch (RuntimeException e) { // what was to be done is done
                LOG.warn("files of {} could not be deleted", first, e);
            }
        });
    }

    /** Cleans up the files of every store, for what a killed process left behind. */
    public void cleanUpAll() {
        cleanUpAll(_ -> true);
    }

    /**
     * The same, but of parts that are there only one in so many, by turns. To look into a folder of a bucket takes a request or
     * two: into those of all parts each time would be dear, take longer than a function may, and keep whoever makes a part waiting.
     */
    public void cleanUpTurn(long turn, int turns) {
        cleanUpAll(partId -> Math.floorMod(partId.hashCode() - turn, turns) == 0);
    }

    /** Throws when all stores were tried if one has failed, so that somebody is told. */
    private void cleanUpAll(Predicate<String> isLookedInto) {
        RuntimeException first = null;
        for (StoreId store : database.stores("all_stores")) {
            try {
                cleanUpStore(store, isLookedInto);
            } catch (RuntimeException e) {
                LOG.error("files of store {} could not be deleted", store, e);
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
                return ids; // a backup copies them; the next sweep of all finds them
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
        List<Entry> entries = partIds.stream()
                .flatMap(id -> Stream.concat(uploadsAndRuns(store, id), made(store, id, before)))
                .toList();
        if (entries.isEmpty()) {
            return;
        }
        Set<String> withMade =
                entries.stream().filter(Entry::isMade).map(Entry::partId).collect(Collectors.toSet());
        // A worker may find something that was made, and answer with it: what is in no work any more was answered.
        Set<String> inWork = withMade.isEmpty() ? Set.of() : references.inWork(tx, withMade);
        Set<FileReferenceRows.Named> needed = new HashSet<>(
                references.named(tx, entries.stream().map(Entry::named).toList()));
        if (!withMade.isEmpty()) {
            references
                    .slicesSince(tx, withMade, before)
                    .forEach(slice -> needed.add(new FileReferenceRows.Named(slice.partId(), MADE + slice.name())));
        }
        entries.stream()
                .filter(entry -> !needed.contains(entry.named()))
                .filter(entry -> !(entry.isMade() && inWork.contains(entry.partId())))
                .forEach(entry -> files.delete(store, entry.partId(), entry.path()));
    }

    private Stream<Entry> uploadsAndRuns(String store, String partId) {
        return Stream.concat(
                        files.entries(store, partId, "").stream().filter(Id::isValid),
                        files.entries(store, partId, RUNS).stream().map(run -> RUNS + run))
                .map(path -> new Entry(partId, path));
    }

    private Stream<Entry> made(String store, String partId, Instant before) {
        return files.entriesBefore(store, partId, MADE, before).stream().map(name -> new Entry(partId, MADE + name));
    }

    /** What lies in a part's folder by its path there. */
    private record Entry(String partId, String path) {
        boolean isMade() {
            return path.startsWith(MADE);
        }

        FileReferenceRows.Named named() {
            return new FileReferenceRows.Named(partId, path.startsWith(RUNS) ? path.substring(RUNS.length()) : path);
        }
    }
}
