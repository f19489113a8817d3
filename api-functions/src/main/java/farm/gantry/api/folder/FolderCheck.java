package farm.gantry.api.folder;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.folder.Folder;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Checks that parts are in folders of parts and SKUs in folders of SKUs. */
@Singleton
public final class FolderCheck {
    private final Table<Folder> folders;

    FolderCheck(Tables tables) {
        this.folders = tables.of(Folder.class);
    }

    /** Refuses a folder of another type; a missing folder is left to the check of references. */
    public <R> R check(Tx tx, R record, @Nullable String folderId, Folder.Type type) {
        if (folderId != null
                && folders.find(tx, folderId)
                        .filter(folder -> folder.type() != type)
                        .isPresent()) {
            throw ProblemException.invalid("folderId", "unknown", "folderId names no folder of type " + type);
        }
        return record;
    }
}
