package farm.gantry.api.integration;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Example;
import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.FileTooLargeException;
import farm.gantry.api.file.StoredFile;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.part.PartIntake;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.api.webhook.DownloadFailedException;
import farm.gantry.api.webhook.PinnedHttpClient;
import farm.gantry.file.FileUri;
import farm.gantry.integration.Integration;
import farm.gantry.part.Part;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Imports files from drives: a new file becomes a part, a changed file updates its part. */
@Controller("/v1/integrations/{id}/files")
@Blocking
final class DriveFiles {
    private static final Set<Integration.Type> DRIVES = Set.of(Integration.Type.storage1, Integration.Type.storage2);
    private static final Duration WITHIN = Duration.ofSeconds(25);

    private final SignatureVerifier requests;
    private final InboundDeliveries deliveries;
    private final PinnedHttpClient client;
    private final FileStorage files;
    private final PartIntake intake;
    private final Table<Part> parts;
    private final DriveFileRows rows;
    private final RecordReader reader;
    private final long maxBytes;

    DriveFiles(
            SignatureVerifier requests,
            InboundDeliveries deliveries,
            PinnedHttpClient client,
            FileStorage files,
            PartIntake intake,
            Tables tables,
            DriveFileRows rows,
            RecordReader reader,
            @Value("${gantry.files.max-upload-bytes}") long maxBytes) {
        this.requests = requests;
        this.deliveries = deliveries;
        this.client = client;
        this.files = files;
        this.intake = intake;
        this.parts = tables.of(Part.class);
        this.rows = rows;
        this.reader = reader;
        this.maxBytes = maxBytes;
    }

    /**
     * A file in a drive, with its name and the https URL from which it can be downloaded now. {@code externalId} is the
     * drive's id of the file, by default its name; {@code type} is required if the name does not determine it.
     */
    @Serdeable
    @Example("""
            {"url": "https://drive.example.com/download/7f3a", "name": "hinge.3mf", "externalId": "7f3a"}""")
    record DriveFile(
            @NotBlank @Size(max = 2000) String url,
            @NotBlank @Size(max = 255) String name,
            @Nullable @Size(min = 1, max = 500) String externalId,
            Part.@Nullable Type type,

            @Nullable @Pattern(regexp = Id.PATTERN) String folderId) {

        String key() {
            return externalId == null ? name : externalId;
        }
    }

    /**
     * Imports a file from a drive. Downloads the file and creates its part, or updates the part if it exists. A file that is identical to
     * that of a part of this drive returns that part. The request is signed as specified by Standard Webhooks; a repeated delivery gets the
     * stored response.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @WithoutApiKey(SignatureVerifier.GUARD)
    HttpResponse<Part> arrive(
            String id,
            @Nullable @Header("webhook-id") String webhookId,
            @Nullable @Header("webhook-timestamp") String timestamp,
            @Nullable @Header("webhook-signature") String signatures,
            @Body @BodyType(DriveFile.class) byte[] body) {
        SignatureVerifier.Delivery delivery =
                requests.check(id, new SignatureVerifier.Signature(webhookId, timestamp, signatures), body);
        Optional<RawJson<Part>> done = deliveries.findResponse(delivery, DRIVES);
        if (done.isPresent()) {
            return JsonResponses.created(done.get());
        }
        DriveFile file = reader.read(DriveFile.class, delivery.body());
        Part.Type type = Optional.ofNullable(file.type())
                .or(() -> Part.Type.fromFileName(file.name()))
                .orElseThrow(() -> ProblemException.invalid(
                        "type", "required", "type: it does not follow from the file name, so set it"));
        if (!FileUri.isName(file.name())) {
            throw ProblemException.invalid("name", "invalid", "name is not a file name");
        }
        StoredFile got = download(delivery, file);
        return JsonResponses.created(deliveries.processOnce(
                delivery, DRIVES, (tx, integration, _) -> createOrUpdatePart(tx, integration, file, type, got)));
    }

    private StoredFile download(SignatureVerifier.Delivery delivery, DriveFile file) {
        FileUri upload = FileUri.upload(delivery.store().value(), file.name());
        try {
            return client.get(file.url(), WITHIN, content -> files.write(upload, content, maxBytes));
        } catch (FileTooLargeException e) {
            throw new ProblemException(new Problem.TooLarge("a file may have at most " + maxBytes + " bytes"));
        } catch (IOException e) {
            String reason = e instanceof DownloadFailedException ? e.getMessage() : "the server did not respond";
            throw ProblemException.invalid("url", "unreachable", "url: the download failed: " + reason);
        }
    }

    private RawJson<Part> createOrUpdatePart(
            Tx tx, Integration integration, DriveFile file, Part.Type type, StoredFile got) {
        tx.lockExclusive(AdvisoryLock.DRIVE);
        String store = tx.store().value();
        Optional<String> own = rows.partOf(store, integration.id(), file.key());
        Optional<String> same = own.flatMap(id -> parts.find(tx, id))
                .filter(part -> part.fileHashes().equals(List.of(got.sha256())))
                .map(Part::id)
                .or(() -> rows.partWith(store, integration.id(), got.sha256()));
        if (same.isPresent()) {
            rows.set(store, integration.id(), file.key(), same.get());
            return parts.get(tx, same.get(), Secrets.Visibility.HIDDEN).orElseThrow();
        }
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", type);
        body.put("fileUris", List.of(got.uri().toString()));
        if (file.folderId() != null) {
            body.put("folderId", file.folderId());
        }
        Caller caller = new Caller(tx.store(), integration.id(), false, Set.of(Permission.PART_EDIT));
        Optional<String> changed = own.filter(id -> !rows.isShared(store, id, integration.id(), file.key()));
        if (changed.isPresent()) {
            return intake.change(tx, caller, changed.get(), reader.toTree(body));
        }
        body.put("name", file.name().substring(file.name().lastIndexOf('/') + 1));
        JsonNode tree = reader.toTree(body);
        RawJson<Part> made = intake.create(
                tx, caller, tree, Part.Source.valueOf(integration.type().name()));
        rows.set(
                store,
                integration.id(),
                file.key(),
                Objects.requireNonNull(reader.toTree(made).get("id")).getStringValue());
        return made;
    }
}
