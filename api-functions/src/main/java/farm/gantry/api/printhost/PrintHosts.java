package farm.gantry.api.printhost;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Permission;
import farm.gantry.api.file.StoredFile;
import farm.gantry.api.file.UploadReceiver;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyTypeCheck;
import farm.gantry.api.http.RequestBodies;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.file.FileUri;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.Status;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Print hosts for slicers, in the protocols of OctoPrint, PrusaLink and Moonraker. A slicer takes
 * {@code <farm>/print-hosts/<target>} for the address of a printer; the target is {@code any}, {@code printer-<id or
 * name>}, {@code tag-<tag>} or {@code model-<model>}. The API key is sent as {@code X-Api-Key}.
 */
@Controller("/print-hosts/{target}")
@Blocking
final class PrintHosts {
    private static final String STORAGE = "local";

    private final PrintHostUploads uploads;
    private final UploadReceiver receiver;

    PrintHosts(PrintHostUploads uploads, UploadReceiver receiver) {
        this.uploads = uploads;
        this.receiver = receiver;
    }

    /** The version of the print host; slicers require that {@code text} begins with OctoPrint. */
    @Serdeable
    record Version(String api, String server, String text, Capabilities capabilities) {}

    /** Whether files can be sent by PUT, as PrusaLink takes them. */
    @Serdeable
    record Capabilities(@JsonProperty("upload-by-put") boolean uploadByPut) {}

    /** Storage of a PrusaLink printer. */
    @Serdeable
    record StorageList(@JsonProperty("storage_list") List<Storage> storageList) {}

    @Serdeable
    record Storage(
            String path,
            String name,
            String type,
            @JsonProperty("read_only") boolean readOnly,
            boolean available) {}

    /** Response of Moonraker. */
    @Serdeable
    record Result<T>(T result) {}

    @Serdeable
    record ServerInfo(
            @JsonProperty("klippy_connected") boolean klippyConnected,
            @JsonProperty("klippy_state") String klippyState,
            @JsonProperty("moonraker_version") String moonrakerVersion) {}

    @Serdeable
    record PrinterInfo(
            String state, @JsonProperty("state_message") String stateMessage, String hostname) {}

    /** The result of an upload to PrusaLink; {@code message} says whether its print is queued. */
    @Serdeable
    record Received(boolean done, String name, String message) {}

    /** Response of Moonraker to an upload. */
    @Serdeable
    record ReceivedItem(
            Item item, @JsonProperty("print_started") boolean printStarted, String action, String message) {}

    @Serdeable
    record Item(String path, String root) {}

    /** Returns the version of the print host, as OctoPrint and PrusaLink do. Slicers test the connection with it. */
    @Get("/api/version")
    @RequiresPermission(Permission.PART_CREATE)
    Version version(Caller caller, String target) {
        uploads.checkTarget(caller, target);
        return new Version("0.1", "1.10.0", "OctoPrint (Gantry)", new Capabilities(true));
    }

    /** Returns the storage of the print host, as PrusaLink does: the library. */
    @Get("/api/v1/storage")
    @RequiresPermission(Permission.PART_CREATE)
    StorageList storage(Caller caller, String target) {
        uploads.checkTarget(caller, target);
        return new StorageList(List.of(new Storage("/" + STORAGE, "Library", "LOCAL", false, true)));
    }

    /**
     * Adds a file to the library, as OctoPrint does. The form has the fields {@code file}, {@code path} (folders,
     * separated by slashes) and {@code print}; with {@code print=true} also queues one copy for the target.
     */
    @Post("/api/files/local")
    @Consumes(MediaType.ALL)
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_CREATE)
    Received uploadToOctoPrint(Caller caller, String target, HttpRequest<?> request, @Nullable @Body InputStream body)
            throws IOException {
        MultipartUpload form = form(caller, target, request, body);
        return new Received(true, form.fileName(), receive(caller, target, form).text());
    }

    /**
     * Adds a file to the library, as PrusaLink does; the path ends with its name. With {@code Print-After-Upload: ?1}
     * also queues one copy for the target.
     */
    @Put("/api/v1/files/local/{+path}")
    @Consumes(MediaType.ALL)
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_CREATE)
    Received uploadToPrusaLink(
            Caller caller, String target, String path, HttpRequest<?> request, @Nullable @Body InputStream body)
            throws IOException {
        uploads.checkTarget(caller, target);
        receiver.checkLength(request.getContentLength());
        boolean print =
                List.of("?1", "1", "true").contains(request.getHeaders().get("Print-After-Upload", String.class, ""));
        String name = uploads.checkFile(caller, path, print);
        StoredFile file = receiver.receive(RequestBodies.stream(request, body), bytes -> store(caller, name, bytes));
        return new Received(
                true, name, receive(caller, target, file, path, print).text());
    }

    /** Returns the state of the print host, as Moonraker does. Slicers test the connection with it. */
    @Get("/server/info")
    @RequiresPermission(Permission.PART_CREATE)
    Result<ServerInfo> serverInfo(Caller caller, String target) {
        uploads.checkTarget(caller, target);
        return new Result<>(new ServerInfo(true, "ready", "v0.9.3"));
    }

    /** Returns the state of the printer behind the print host, as Moonraker does: always ready to take files. */
    @Get("/printer/info")
    @RequiresPermission(Permission.PART_CREATE)
    Result<PrinterInfo> printerInfo(Caller caller, String target) {
        uploads.checkTarget(caller, target);
        return new Result<>(new PrinterInfo("ready", "The farm takes files.", "gantry"));
    }

    /**
     * Adds a file to the library, as Moonraker does. The form has the fields {@code file}, {@code path} and {@code
     * print}; with {@code print=true} also queues one copy for the target.
     */
    @Post("/server/files/upload")
    @Consumes(MediaType.ALL)
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_CREATE)
    ReceivedItem uploadToMoonraker(
            Caller caller, String target, HttpRequest<?> request, @Nullable @Body InputStream body) throws IOException {
        MultipartUpload form = form(caller, target, request, body);
        UploadOutcome outcome = receive(caller, target, form);
        return new ReceivedItem(new Item(form.fileName(), "gcodes"), outcome.isPrint(), "create_file", outcome.text());
    }

    private MultipartUpload form(Caller caller, String target, HttpRequest<?> request, @Nullable InputStream body)
            throws IOException {
        uploads.checkTarget(caller, target);
        receiver.checkLength(request.getContentLength());
        String contentType = request.getHeaders().get(BodyTypeCheck.ORIGINAL_TYPE_HEADER);
        return receiver.receive(
                RequestBodies.stream(request, body),
                bytes -> MultipartUpload.read(contentType, bytes, new MultipartUpload.FileStore() {
                    @Override
                    public StoredFile store(String name, MultipartUpload.Fields before, InputStream file)
                            throws IOException {
                        String checked = uploads.checkFile(caller, path(before, name), isPrint(before));
                        return PrintHosts.this.store(caller, checked, file);
                    }

                    @Override
                    public void delete(StoredFile file) {
                        receiver.delete(file);
                    }
                }));
    }

    private static String path(MultipartUpload.Fields fields, String name) {
        return fields.get("path") + "/" + fileName(name);
    }

    private static boolean isPrint(MultipartUpload.Fields fields) {
        return fields.get("print").equalsIgnoreCase("true");
    }

    private UploadOutcome receive(Caller caller, String target, MultipartUpload form) {
        return receive(caller, target, form.file(), path(form.fields(), form.fileName()), isPrint(form.fields()));
    }

    private UploadOutcome receive(Caller caller, String target, StoredFile file, String path, boolean print) {
        try {
            return uploads.receive(caller, target, file, path, print);
        } finally {
            receiver.delete(file);
        }
    }

    private StoredFile store(Caller caller, String name, InputStream bytes) throws IOException {
        return receiver.store(FileUri.upload(caller.store().value(), name), bytes);
    }

    /** Returns a file's name without folders, which slicers on Windows separate by backslashes. */
    private static String fileName(String sent) {
        return sent.substring(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
    }
}
