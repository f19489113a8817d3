package farm.gantry.folder;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** All folders of a store, and what must be true of them. */
public record FolderTree(Map<String, Folder> byId) {
    private static final int MAX_LEVELS = 20;

    public FolderTree {
        byId = Map.copyOf(byId);
    }

    public static FolderTree of(Collection<Folder> folders) {
        return new FolderTree(folders.stream().collect(Collectors.toMap(Folder::id, folder -> folder)));
    }

    /** The tree with these in place of those of their ids. */
    public FolderTree with(List<Folder> folders) {
        Map<String, Folder> all = new HashMap<>(byId);
        folders.forEach(folder -> all.put(folder.id(), folder));
        return new FolderTree(all);
    }

    /** Why this cannot be a tree of folders. */
    public Optional<String> findFault() {
        Set<List<Object>> names = new HashSet<>();
        for (Folder folder : byId.values()) {
            int levels = 0;
            for (Folder at = folder; at != null; at = at.parentId() == null ? null : byId.get(at.parentId())) {
                if (++levels > MAX_LEVELS) {
                    return Optional.of("a folder may not be inside itself, nor below " + MAX_LEVELS + " levels");
                }
            }
            if (!names.add(List.of(folder.type(), Objects.requireNonNullElse(folder.parentId(), ""), folder.name()))) {
                return Optional.of("there is a folder '" + folder.name() + "' already");
            }
        }
        return Optional.empty();
    }
}
