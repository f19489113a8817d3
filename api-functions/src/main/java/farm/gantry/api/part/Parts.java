package farm.gantry.api.part;

import farm.gantry.Permission;
import farm.gantry.annotation.Example;
import farm.gantry.api.database.Database;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.JsonResponses;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The routes of parts. A file is uploaded, stored and ingested; the part is ready when its ingest has ended. */
@Controller("/v1/parts")
final class Parts extends ResourceRoutes<Part> {
    private final Database database;
    private final PartIntake intake;
    private final MaterialAssignmentWriter assignments;
    private final RecordReader reader;

    Parts(Database database, PartIntake intake, MaterialAssignmentWriter assignments, RecordReader reader) {
        super(intake.resource());
        this.database = database;
        this.intake = intake;
        this.assignments = assignments;
        this.reader = reader;
    }

    @Override
    public HttpResponse<Part> create(Caller caller, @BodyType(with = MaterialAssignments.class) JsonNode body) {
        Faults faults = new Faults();
        Optional<Part> parsed = faults.read("", () -> intake.parse(caller.store(), body, Map.of()));
        Optional<Map<String, List<Assignment>>> choices = faults.read("", () -> assignments.read(body));
        resources.addUnknown(caller, faults, "", body);
        faults.check();
        return JsonResponses.created(database.in(caller, tx -> {
            Part part = intake.startIngest(tx, parsed.orElseThrow(), false);
            RawJson<Part> made = resources.create(tx, caller, part);
            assignments.replace(tx, part, choices.orElseThrow());
            return made;
        }));
    }

    /** Returns the metadata of a part's file. 404 until the file has been read. */
    @Get("/{id}/metadata")
    @RequiresPermission(Permission.PART_VIEW)
    PartMetadata metadata(Caller caller, String id) {
        Part part = resources.find(caller, id);
        if (part.metadata() == null) {
            throw ProblemException.notFound(
                    part.processingStatus() == null
                            ? "metadata: a file of type "
                                    + reader.toTree(part.type()).getStringValue() + " cannot have any"
                            : part.processingStatus() == Part.ProcessingStatus.failed
                                    ? "metadata: the part's file could not be read"
                                    : "metadata: the part has not been read yet");
        }
        return part.metadata();
    }

    /**
     * Changes a part. New files, or other values of a parametric model, start a new ingest; reports of the previous one
     * are dropped.
     */
    @Override
    public HttpResponse<Part> patch(
            Caller caller, String id, IfMatch ifMatch, @BodyType(with = MaterialAssignments.class) JsonNode body) {
        return super.patch(caller, id, ifMatch, body);
    }

    /** Applies the fields of the body that are not the part's own. */
    @Override
    protected Resources.ChangeRule<Part> rule(Caller caller, @Nullable JsonNode update) {
        Map<String, List<Assignment>> choices =
                update != null && MaterialAssignmentWriter.isPresentIn(update) ? parseMaterials(update) : null;
        return (tx, kept, part) -> {
            if (update != null && update.get("parameters") != null) {
                PartIntake.checkOwnValues(part);
            }
            if (choices != null) {
                assignments.replace(tx, part, choices);
            }
            boolean isOther =
                    !part.fileUris().equals(kept.fileUris()) || kept.type() != part.type() || !part.isSameModel(kept);
            return isOther ? intake.startIngest(tx, part, false) : part;
        };
    }

    /** Returns the materials in the body; reports their faults together with those of the other fields. */
    private Map<String, List<Assignment>> parseMaterials(JsonNode update) {
        Faults faults = new Faults();
        faults.read("", () -> reader.checkPatch(Part.class, update));
        Optional<Map<String, List<Assignment>>> choices = faults.read("", () -> assignments.read(update));
        faults.check();
        return choices.orElseThrow();
    }

    /** A retry of the ingest; {@code acceptIncomplete} accepts G-code that ends early, as long as the part has this file. */
    @Serdeable
    @Example("""
            {"acceptIncomplete": true}""")
    record Retry(@Nullable Boolean acceptIncomplete) {}

    /** Retries the ingest of a failed part. Returns 409 if the part did not fail. */
    @Post("/{id}/retry-processing")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_EDIT)
    HttpResponse<Part> retry(Caller caller, String id, @Nullable @Body @BodyType(Retry.class) JsonNode body) {
        boolean acceptIncomplete = body != null
                && Boolean.TRUE.equals(reader.read(Retry.class, body).acceptIncomplete());
        return ingestAgain(caller, id, acceptIncomplete, part -> {
            if (part.processingStatus() != Part.ProcessingStatus.failed) {
                throw ProblemException.conflict("only a failed ingest can be retried");
            }
            return true;
        });
    }

    /** Estimates a part again with its current slicing settings. */
    @Post("/{id}/estimate")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_EDIT)
    HttpResponse<Part> estimate(Caller caller, String id) {
        return ingestAgain(caller, id, false, part -> {
            refuseWhileRead(part);
            return true;
        });
    }

    /**
     * Splits the file of a part into one file per plate. A part whose plates are already separate is returned
     * unchanged.
     */
    @Post("/{id}/split-plates")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_EDIT)
    HttpResponse<Part> splitPlates(Caller caller, String id) {
        return ingestAgain(caller, id, false, part -> {
            if (part.type() != Part.Type.THREE_MF && part.type() != Part.Type.gcode3mf) {
                throw ProblemException.conflict("only a 3MF has plates to split");
            }
            refuseWhileRead(part);
            return part.gcodePlateUris() == null;
        });
    }

    private static void refuseWhileRead(Part part) {
        if (part.processingStatus() == Part.ProcessingStatus.processing) {
            throw ProblemException.conflict("the part's file is still being read");
        }
    }

    /** Starts another ingest of the part if the condition requires it. */
    private HttpResponse<Part> ingestAgain(
            Caller caller, String id, boolean acceptIncomplete, Predicate<Part> isNeeded) {
        JsonNode nothing = JsonNode.createObjectNode(Map.of());
        Resources.parseId(id);
        RawJson<Part> answer = database.in(
                caller,
                tx -> resources.patch(
                        tx,
                        caller,
                        id,
                        nothing,
                        (_, _, part) -> isNeeded.test(part) ? intake.startIngest(tx, part, acceptIncomplete) : part));
        return JsonResponses.created(answer);
    }
}
