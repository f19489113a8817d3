package farm.gantry.api.folder;

import farm.gantry.Permission;
import farm.gantry.Permission.Action;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.folder.Folder;
import farm.gantry.part.Part;
import farm.gantry.sku.Sku;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.serde.annotation.Serdeable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The routes that list folders by type, and the contents of a folder. */
@Controller("/v1/folders")
@Blocking
final class FolderLists {
    private final Resources<Folder> folders;
    private final Resources<Part> parts;
    private final Resources<Sku> skus;
    private final RecordReader reader;

    FolderLists(ResourceFactory factory, RecordReader reader) {
        this.folders = factory.of(Folder.class, "folder");
        this.parts = factory.of(Part.class, "part");
        this.skus = factory.of(Sku.class, "SKU");
        this.reader = reader;
    }

    /**
     * Returns the folders of one type. {@code type} is {@code part} or {@code sku}. Filter, sort and page with the
     * query parameters.
     */
    @Get("/by-type/{type}")
    @RequiresPermission({})
    HttpResponse<List<Folder>> ofType(Caller caller, String type, HttpRequest<?> request) {
        return ofType(
                caller,
                reader.read(FolderType.class, reader.toTree(Map.of("type", type)))
                        .type(),
                request);
    }

    /** Returns the folders of parts, as {@code by-type/part} does. */
    @Get("/parts")
    @RequiresPermission(Permission.PART_VIEW)
    HttpResponse<List<Folder>> ofParts(Caller caller, HttpRequest<?> request) {
        return ofType(caller, Folder.Type.part, request);
    }

    /** Returns the folders of SKUs, as {@code by-type/sku} does. */
    @Get("/skus")
    @RequiresPermission(Permission.SKU_VIEW)
    HttpResponse<List<Folder>> ofSkus(Caller caller, HttpRequest<?> request) {
        return ofType(caller, Folder.Type.sku, request);
    }

    private HttpResponse<List<Folder>> ofType(Caller caller, Folder.Type wanted, HttpRequest<?> request) {
        caller.requirePermission(wanted.permission(Action.VIEW));
        return folders.list(
                caller, request, ListQuery.of(folders.table().columns(), withFilter(request, "type", wanted.name())));
    }

    /** Returns the request's parameters, with filters on the field replaced by this value. */
    private static Map<String, List<String>> withFilter(HttpRequest<?> request, String field, String value) {
        Map<String, List<String>> parameters =
                new LinkedHashMap<>(request.getParameters().asMap());
        parameters.put(field, List.of(value));
        return parameters;
    }

    @Serdeable
    record FolderType(Folder.Type type) {}

    /** Returns the parts directly in a folder. Takes the query parameters of a list of parts. */
    @Get("/{id}/parts")
    @RequiresPermission(Permission.PART_VIEW)
    HttpResponse<List<Part>> parts(Caller caller, String id, HttpRequest<?> request) {
        return parts.list(
                caller,
                request,
                ListQuery.of(
                        parts.table().columns(),
                        withFilter(request, "folderId", folders.find(caller, id).id())));
    }

    /** Returns the SKUs directly in a folder. Takes the query parameters of a list of SKUs. */
    @Get("/{id}/skus")
    @RequiresPermission(Permission.SKU_VIEW)
    HttpResponse<List<Sku>> skus(Caller caller, String id, HttpRequest<?> request) {
        return skus.list(
                caller,
                request,
                ListQuery.of(
                        skus.table().columns(),
                        withFilter(request, "folderId", folders.find(caller, id).id())));
    }
}
