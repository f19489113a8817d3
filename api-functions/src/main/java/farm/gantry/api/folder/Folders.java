package farm.gantry.api.folder;

import farm.gantry.Field;
import farm.gantry.Permission;
import farm.gantry.Permission.Action;
import farm.gantry.annotation.Default;
import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.BulkPatch;
import farm.gantry.api.query.Condition;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.query.SearchRequest;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.folder.Folder;
import farm.gantry.folder.FolderTree;
import farm.gantry.part.Part;
import farm.gantry.sku.Sku;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Folders; permissions are those for the parts or SKUs in them. Changes are serialized per store. */
@Controller("/v1/folders")
@Blocking
final class Folders {
    private static final String NOUN = "folder";

    private final Resources<Folder> folders;
    private final Table<Folder> table;
    private final Resources<Part> parts;
    private final Resources<Sku> skus;
    private final Database database;
    private final RecordReader reader;

    Folders(ResourceFactory factory, Database database, RecordReader reader) {
        this.folders = factory.of(Folder.class, NOUN);
        this.table = folders.table();
        this.parts = factory.of(Part.class, "part");
        this.skus = factory.of(Sku.class, "SKU");
        this.database = database;
        this.reader = reader;
    }

    @Serdeable
    record RenameRequest(String id, @NotBlank String name) {}

    @Serdeable
    record MoveRequest(MovedEntities entities, @Nullable String toFolderId) {}

    @Serdeable
    record MovedEntities(
            @Default("[]") @Size(max = 1000) List<String> folderIds,
            @Default("[]") @Size(max = 1000) List<String> partIds,
            @Default("[]") @Size(max = 1000) List<String> skuIds) {}

    @Serdeable
    record DeleteRequest(@Size(min = 1, max = 1000) List<String> folderIds, Folder.Type type) {}

    @Serdeable
    record ChangeResult(boolean success, int affected) {}

    /** Returns the folders of the types that the caller may view. */
    @Get
    @RequiresPermission({})
    HttpResponse<List<Folder>> list(Caller caller, HttpRequest<?> request) {
        return folders.list(caller, request, folders.query(request).where(visibleCondition(caller)));
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @RequiresPermission({})
    HttpResponse<SearchResponse<Folder>> search(
            Caller caller, HttpRequest<?> request, @Body @BodyType(SearchRequest.class) JsonNode body) {
        return folders.search(
                caller, request, ListQuery.of(table.columns(), body).where(visibleCondition(caller)));
    }

    private Condition visibleCondition(Caller caller) {
        caller.requireAnyPermission(table.columns().view());
        String[] types = Arrays.stream(Folder.Type.values())
                .filter(type -> caller.hasPermission(type.permission(Action.VIEW)))
                .map(Folder.Type::name)
                .toArray(String[]::new);
        return Filter.of(table.columns().get(Folder::type), Operator.in, types);
    }

    @Get("/{id}")
    @RequiresPermission({})
    HttpResponse<Folder> get(Caller caller, String id, HttpRequest<?> request) {
        caller.requirePermission(folders.find(caller, id).type().permission(Action.VIEW));
        return folders.get(caller, id, request);
    }

    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission({})
    HttpResponse<Folder> create(Caller caller, @Body @BodyType(Folder.class) JsonNode body) {
        Folder folder = folders.parseNew(caller.store(), body, Map.of());
        caller.requirePermission(folder.type().permission(Action.CREATE));
        return JsonResponses.created(database.in(caller, tx -> {
            FolderTree tree = lockTree(tx);
            checkParent(tree, "parentId", folder.parentId(), folder.type());
            check(tree.with(List.of(folder)));
            return table.insert(tx, folder, table.secretVisibility(caller));
        }));
    }

    /** Returns all folders of the store, locked until the transaction ends. */
    private FolderTree lockTree(Tx tx) {
        tx.lockExclusive(AdvisoryLock.FOLDERS);
        return FolderTree.of(table.find(tx, ListQuery.all(table.columns())));
    }

    private static void checkParent(FolderTree tree, String path, @Nullable String parentId, Folder.Type type) {
        Folder parent = parentId == null ? null : tree.byId().get(parentId);
        if (parentId != null && (parent == null || parent.type() != type)) {
            throw ProblemException.invalid(path, "unknown", path + " must be the id of a folder of type " + type);
        }
    }

    private static void check(FolderTree tree) {
        tree.findFault().ifPresent(fault -> {
            throw ProblemException.conflict(fault);
        });
    }

    /** Renames a folder. The body names the folder by its {@code id}. */
    @Patch("/rename")
    @RequiresPermission({})
    HttpResponse<Folder> rename(Caller caller, IfMatch ifMatch, @Body @BodyType(RenameRequest.class) JsonNode body) {
        RenameRequest request = reader.read(RenameRequest.class, body);
        return patch(caller, request.id(), ifMatch, reader.toTree(Map.of("name", request.name())));
    }

    /** Renames or moves a folder. A folder cannot be moved into itself or into a folder inside it. */
    @Patch("/{id}")
    @RequiresPermission({})
    HttpResponse<Folder> patch(Caller caller, String id, IfMatch ifMatch, @Body @BodyType(Folder.class) JsonNode body) {
        Resources.parseId(id);
        return JsonResponses.ok(database.in(caller, tx -> {
            FolderTree tree = lockTree(tx);
            return folders.patch(
                    tx, caller, id, ifMatch, body, (_, _, folder) -> requireEditable(caller, tree, folder));
        }));
    }

    /**
     * Applies one change to many folders. Each is checked against the result of those before it; all are changed, or
     * none.
     */
    @Patch
    @RequiresPermission({})
    HttpResponse<List<Folder>> patchAll(Caller caller, @Body @BodyType(BulkPatch.class) JsonNode body) {
        return JsonResponses.ok(database.in(caller, tx -> {
            FolderTree tree = lockTree(tx);
            List<Folder> edited = new ArrayList<>();
            return folders.patchAll(tx, caller, body, (_, _, folder) -> {
                edited.add(folder);
                return requireEditable(caller, tree.with(edited), folder);
            });
        }));
    }

    private static Folder requireEditable(Caller caller, FolderTree tree, Folder folder) {
        caller.requirePermission(folder.type().permission(Action.EDIT));
        checkParent(tree, "parentId", folder.parentId(), folder.type());
        check(tree.with(List.of(folder)));
        return folder;
    }

    /**
     * Moves folders, parts and SKUs into one folder. A null {@code toFolderId} moves them to the top level. All are
     * moved, or none.
     */
    @Patch("/move")
    @RequiresPermission({})
    ChangeResult move(Caller caller, @Body @BodyType(MoveRequest.class) JsonNode body) {
        Faults faults = new Faults();
        Optional<MoveRequest> read = faults.read("", () -> reader.read(MoveRequest.class, body));
        if (body.isObject() && body.get("toFolderId") == null) {
            faults.add("toFolderId", "required", "toFolderId is required; null is the top level");
        }
        faults.check();
        MoveRequest request = read.orElseThrow();
        return database.in(caller, tx -> {
            FolderTree tree = lockTree(tx);
            List<Folder> moved = new ArrayList<>();
            List<String> missing = new ArrayList<>();
            for (String id : new HashSet<>(request.entities().folderIds())) {
                Folder folder = tree.byId().get(id);
                if (folder == null) {
                    missing.add(id);
                } else {
                    moved.add(folder.withParent(request.toFolderId()));
                }
            }
            if (!request.entities().partIds().isEmpty()) {
                caller.requirePermission(Permission.PART_EDIT);
                checkParent(tree, "toFolderId", request.toFolderId(), Folder.Type.part);
            }
            if (!request.entities().skuIds().isEmpty()) {
                caller.requirePermission(Permission.SKU_EDIT);
                checkParent(tree, "toFolderId", request.toFolderId(), Folder.Type.sku);
            }
            for (Folder folder : moved) {
                caller.requirePermission(folder.type().permission(Action.EDIT));
                checkParent(tree, "toFolderId", request.toFolderId(), folder.type());
            }
            check(tree.with(moved));
            table.changeAll(
                    tx,
                    moved.stream().map(Folder::id).toList(),
                    new Change<Folder>().set(Folder::parentId, request.toFolderId()));
            int others = move(
                            tx,
                            parts.table(),
                            Part::folderId,
                            request.entities().partIds(),
                            request.toFolderId(),
                            missing)
                    + move(tx, skus.table(), Sku::folderId, request.entities().skuIds(), request.toFolderId(), missing);
            ProblemException.throwIfMissing(missing);
            return new ChangeResult(true, moved.size() + others);
        });
    }

    private static <R> int move(
            Tx tx,
            Table<R> table,
            Field<R> folderId,
            List<String> ids,
            @Nullable String toFolderId,
            List<String> missing) {
        Set<String> distinct = new TreeSet<>(ids);
        Set<String> moved = table.changeAll(tx, distinct, new Change<R>().set(folderId, toFolderId));
        distinct.stream().filter(id -> !moved.contains(id)).forEach(missing::add);
        return distinct.size();
    }

    /**
     * Deletes empty folders. Unknown ids are skipped. If a folder still holds anything that is not deleted with it,
     * none is deleted.
     */
    @Delete("/delete")
    @RequiresPermission({})
    ChangeResult deleteAll(Caller caller, @Body @BodyType(DeleteRequest.class) JsonNode body) {
        DeleteRequest request = reader.read(DeleteRequest.class, body);
        caller.requirePermission(request.type().permission(Action.DELETE));
        return database.in(caller, tx -> {
            List<String> ids = lockTree(tx).byId().values().stream()
                    .filter(folder -> folder.type() == request.type())
                    .map(Folder::id)
                    .filter(request.folderIds()::contains)
                    .toList();
            return new ChangeResult(true, table.delete(tx, ids).size());
        });
    }

    @Delete("/{id}")
    @RequiresPermission({})
    HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch) {
        caller.requirePermission(folders.find(caller, id).type().permission(Action.DELETE));
        return folders.delete(caller, id, ifMatch);
    }
}
