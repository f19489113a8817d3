package farm.gantry.api.folder;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.folder.Folder;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that parts are in folders of parts and SKUs in folders of SKUs. */
@Singleton
public final class FolderCheck {
    private final Table<Folder> folders;

    FolderCheck(Tables tables) {
        this.folders = tables.of(Folder.class);
    }

    /** Refuses a folder of another type; a missing folder is left to the check of references. */
    public <R> List<R> check(Tx tx, List<R> records, Function<R, @Nullable String> folderId, Folder.Type type) {
        Set<String> ids =
                records.stream().map(folderId).filter(Objects::nonNull).collect(Collectors.toSet());
        if (folders.findAll(tx, ids).values().stream().anyMatch(folder -> folder.type() != type)) {
            throw ProblemException.invalid("folderId", "unknown", "folderId names no folder of type " + type);
        }
        return records;
    }
}
