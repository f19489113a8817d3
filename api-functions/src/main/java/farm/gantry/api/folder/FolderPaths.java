package farm.gantry.api.folder;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.Resources;
import farm.gantry.folder.Folder;
import farm.gantry.folder.FolderTree;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Folders of parts by their path. */
@Singleton
public final class FolderPaths {
    private final Table<Folder> folders;

    FolderPaths(Tables tables) {
        this.folders = tables.of(Folder.class);
    }

    /** Returns the id of the folder with this path and creates what is missing of it; null for an empty path. */
    public @Nullable String findOrCreate(Tx tx, List<String> names) {
        if (names.isEmpty()) {
            return null;
        }
        tx.lockExclusive(AdvisoryLock.FOLDERS);
        FolderTree before = load(tx);
        List<Folder> path = path(tx, before, names);
        path.stream()
                .filter(folder -> !before.byId().containsKey(folder.id()))
                .forEach(folder -> folders.insert(tx, folder, Secrets.Visibility.HIDDEN));
        return path.getLast().id();
    }

    /** Throws if the folder with this path does not exist and cannot be created. */
    public void check(Tx tx, List<String> names) {
        path(tx, load(tx), names);
    }

    private FolderTree load(Tx tx) {
        return FolderTree.of(folders.find(tx, ListQuery.all(folders.columns())));
    }

    /** Returns the folders of the path, of which some may be new. */
    private static List<Folder> path(Tx tx, FolderTree before, List<String> names) {
        FolderTree tree = before;
        List<Folder> path = new ArrayList<>();
        for (String name : names) {
            String parentId = path.isEmpty() ? null : path.getLast().id();
            Folder folder = find(tree, parentId, name).orElseGet(() -> newFolder(tx, parentId, name));
            tree = tree.with(List.of(folder));
            path.add(folder);
        }
        tree.findFault().ifPresent(fault -> {
            throw ProblemException.invalid("path", "invalid", "path: " + fault);
        });
        return path;
    }

    private static Optional<Folder> find(FolderTree tree, @Nullable String parentId, String name) {
        return tree.byId().values().stream()
                .filter(folder -> folder.type() == Folder.Type.part)
                .filter(folder -> folder.name().equals(name) && Objects.equals(folder.parentId(), parentId))
                .findFirst();
    }

    private static Folder newFolder(Tx tx, @Nullable String parentId, String name) {
        Instant now = Resources.now();
        return RecordBuilder.of(Folder.class)
                .with(Folder::id, Id.next())
                .with(Folder::storeId, tx.store().value())
                .with(Folder::createdAt, now)
                .with(Folder::updatedAt, now)
                .with(Folder::type, Folder.Type.part)
                .with(Folder::name, name)
                .with(Folder::parentId, parentId)
                .build();
    }
}
