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

/** The folders of a store, and the rules that they must satisfy. */
public record FolderTree(Map<String, Folder> byId) {
    private static final int MAX_LEVELS = 20;

    public FolderTree {
        byId = Map.copyOf(byId);
    }

    public static FolderTree of(Collection<Folder> folders) {
        return new FolderTree(folders.stream().collect(Collectors.toMap(Folder::id, folder -> folder)));
    }

    /** Returns the tree with these folders added, or replaced by id. */
    public FolderTree with(List<Folder> folders) {
        Map<String, Folder> all = new HashMap<>(byId);
        folders.forEach(folder -> all.put(folder.id(), folder));
        return new FolderTree(all);
    }

    /** Returns why the folders do not form a valid tree; empty if they do. */
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
                return Optional.of("a folder '" + folder.name() + "' already exists here");
            }
        }
        return Optional.empty();
    }
}
