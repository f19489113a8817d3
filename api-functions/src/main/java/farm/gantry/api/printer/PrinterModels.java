package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.query.SearchRequest;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.resource.InMemoryLists;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.ingest.bundle.SystemModel;
import farm.gantry.printer.PrinterModel;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;

/** Catalogue of printer models behind {@code vendorModelId}. An operator can add models that no slicer knows. */
@Controller("/v1/printer-models")
@Blocking
final class PrinterModels {
    private final Resources<PrinterModel> models;
    private final PrinterModelCatalogue catalogue;
    private final Database database;
    private final InMemoryLists lists;

    PrinterModels(ResourceFactory factory, PrinterModelCatalogue catalogue, Database database, InMemoryLists lists) {
        this.models = factory.of(PrinterModel.class, "printer model");
        this.catalogue = catalogue;
        this.database = database;
        this.lists = lists;
    }

    @Get
    @RequiresPermission(Permission.PRINTER_VIEW)
    HttpResponse<List<PrinterModelCatalogue.Entry>> list(Caller caller, HttpRequest<?> request) {
        return lists.list(caller, request, PrinterModelCatalogue.Entry.class, all(caller));
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PRINTER_VIEW)
    HttpResponse<SearchResponse<PrinterModelCatalogue.Entry>> search(
            Caller caller, HttpRequest<?> request, @Body @BodyType(SearchRequest.class) JsonNode body) {
        return lists.search(caller, request, body, PrinterModelCatalogue.Entry.class, all(caller));
    }

    private List<PrinterModelCatalogue.Entry> all(Caller caller) {
        return database.in(caller, catalogue::listAll);
    }

    /**
     * Adds a printer model to the catalogue. Its number is derived from its names, so the names cannot be changed
     * later.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PRINTER_EDIT)
    HttpResponse<PrinterModel> create(Caller caller, @Body @BodyType(PrinterModel.class) JsonNode body) {
        PrinterModel read = models.parseNew(caller.store(), body, Map.of("vendorModelId", 0));
        long number = SystemModel.number(read.vendorName(), read.modelName());
        return models.create(caller, body, Map.of("vendorModelId", number));
    }

    @Get("/{id}")
    @RequiresPermission(Permission.PRINTER_VIEW)
    HttpResponse<PrinterModel> get(Caller caller, String id, HttpRequest<?> request) {
        return models.get(caller, id, request);
    }

    @Delete("/{id}")
    @RequiresPermission(Permission.PRINTER_EDIT)
    HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch) {
        return models.delete(caller, id, ifMatch);
    }
}
