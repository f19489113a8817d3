package farm.gantry.api.part;

import farm.gantry.RecordBuilder;
import farm.gantry.StoreId;
import farm.gantry.api.cost.SkuCostRows;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.file.FileCleanup;
import farm.gantry.api.file.FileReferenceRows;
import farm.gantry.api.file.ReferencedFileCopies;
import farm.gantry.api.file.StoredFile;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.part.ParameterCheck;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** Creates and changes parts for all sources of files, starts their ingest, and updates what depends on them. */
@Singleton
public final class PartIntake {
    private static final Set<String> MAYBE_3MF = Set.of("3mf", "gcode3mf", "gcode");

    private final Resources<Part> parts;
    private final PartFiles files;
    private final PartIngest ingest;
    private final FileReferenceRows references;

    PartIntake(
            ResourceFactory factory,
            PartFiles files,
            PartIngest ingest,
            FileCleanup cleanup,
            FileReferenceRows references,
            ReferencedFileCopies named,
            SkuCostRows costs) {
        this.parts = factory.of(Part.class, "part")
                .checkedBy((tx, part) -> withOwnFiles(named, tx, part))
                .followedBy((tx, before, after) -> onChange(costs, cleanup, tx, before, after));
        this.files = files;
        this.ingest = ingest;
        this.references = references;
    }

    private static Part withOwnFiles(ReferencedFileCopies named, Tx tx, Part part) {
        return part.withParameters(part.parameters().stream()
                .map(parameter -> parameter.type() == PartParameter.Type.file
                        ? withOwnFiles(named, tx, part.id(), parameter)
                        : parameter)
                .toList());
    }

    private static PartParameter withOwnFiles(
            ReferencedFileCopies named, Tx tx, String partId, PartParameter parameter) {
        return RecordBuilder.copyOf(parameter)
                .with(PartParameter::value, named.copyToOwner(tx, partId, parameter.value()))
                .with(PartParameter::defaultValue, named.copyToOwner(tx, partId, parameter.defaultValue()))
                .with(PartParameter::defaultUri, named.copyToOwner(tx, partId, parameter.defaultUri()))
                .build();
    }

    Resources<Part> resource() {
        return parts;
    }

    /** Updates the costs of SKUs and deletes files that nothing refers to. */
    private static void onChange(SkuCostRows costs, FileCleanup cleanup, Tx tx, List<Part> before, List<Part> after) {
        List<String> otherGrams = IntStream.range(0, Math.min(before.size(), after.size()))
                .filter(i -> !Objects.equals(
                        before.get(i).slicingEstimate(), after.get(i).slicingEstimate()))
                .mapToObj(i -> after.get(i).id())
                .toList();
        if (!otherGrams.isEmpty()) {
            costs.refreshOfParts(tx, otherGrams);
        }
        IntStream.range(0, before.size())
                .filter(i -> after.isEmpty()
                        || !Objects.equals(
                                before.get(i).processing(), after.get(i).processing()))
                .forEach(i -> cleanup.cleanUpAfterCommit(tx, before.get(i).id()));
    }

    /** Parses a part that is not stored yet; {@code system} are the components that the service sets. */
    Part parse(StoreId store, JsonNode body, Map<String, ?> system) {
        Part part = parts.parseNew(store, withProfile(body), system);
        checkOwnValues(part);
        return part;
    }

    /** Checks the values of the parameters in the body; builds check those of parameters that a file defines. */
    static void checkOwnValues(Part part) {
        Faults faults = new Faults();
        ParameterCheck.checkOwnValues(part.parameters())
                .forEach(fault ->
                        faults.add(fault.component(), fault.code(), fault.component() + " " + fault.message()));
        faults.check();
    }

    /**
     * Sets the default of {@code use3MFProcessProfile}: true for a 3MF, also one sent as G-code, whose type ingest corrects, unless the
     * body names a process profile.
     */
    private static JsonNode withProfile(JsonNode body) {
        if (!body.isObject() || body.get("use3MFProcessProfile") != null) {
            return body;
        }
        JsonNode type = body.get("type");
        JsonNode other = body.get("overriddenProcessProfileId");
        boolean mayBe3mf = type != null && type.isString() && MAYBE_3MF.contains(type.getStringValue());
        return RecordReader.with(
                body,
                "use3MFProcessProfile",
                JsonNode.createBooleanNode(mayBe3mf && (other == null || other.isNull())));
    }

    /** Moves the files to the part and requests its ingest when the transaction commits. */
    Part startIngest(Tx tx, Part part, boolean acceptIncomplete) {
        references.lockShared(tx);
        List<StoredFile> adopted = files.moveToPart(part.storeId(), part.id(), part.fileUris());
        List<String> hashes = adopted.stream().map(StoredFile::sha256).toList();
        Part begun = part.withNewFiles(
                adopted.stream().map(file -> file.uri().toString()).toList(),
                hashes,
                PartIngest.startProcessing(hashes, part.processing(), acceptIncomplete));
        ingest.request(tx, begun);
        return begun;
    }

    /** Creates a part from the body's upload and starts to read its file. */
    public RawJson<Part> create(Tx tx, Caller caller, JsonNode body) {
        return parts.create(tx, caller, startIngest(tx, parse(tx.store(), body, Map.of()), false));
    }

    /** Creates a part from the body's upload, with the source that it came from. */
    public RawJson<Part> create(Tx tx, Caller caller, JsonNode body, Part.Source source) {
        return parts.create(tx, caller, startIngest(tx, parse(tx.store(), body, Map.of("source", source)), false));
    }

    /** Changes a part as the body says, and starts an ingest of its new upload. */
    public RawJson<Part> change(Tx tx, Caller caller, String id, JsonNode body) {
        return parts.patch(tx, caller, id, body, (_, _, part) -> startIngest(tx, part, false));
    }
}
