package farm.gantry.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Field;
import farm.gantry.Permission;
import farm.gantry.annotation.Computed;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.OnRequest;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Min;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A print of one plate of one copy of a part. {@code attempt} starts at 1 and increases whenever the job returns to the queue; with the id
 * it identifies the start command, so that no attempt is started twice. {@code errorMessage} says why the job failed or returned to the
 * queue from a printer. {@code priority} is 100, or 1000 for low priority. Temperatures are in °C. {@code replacesJobId} is the failed job
 * that this job replaces; {@code retries} is how many jobs failed before it, {@code failedPrinterIds} the printers on which they failed,
 * the last one last. {@code policyReason} says how the store's failure policy handled the job. {@code good} and {@code rejected} count the
 * pieces of a completed print, null until a person judges them. {@code profileUris} is always empty, because slicing profiles are records,
 * not files. {@code allowInsufficientMaterial} lets the job start on a spool with too little filament although the store requires enough; a
 * job that replaces it does not inherit it. The time of the last attempt from {@code printingStartedAt} to {@code printingCompletedAt}
 * consists of {@code heatingSeconds}, {@code pausedSeconds} and printing; {@code actualSeconds} is the printing time that the printer
 * counted or, if it counts none, that its agent observed. {@code promisedAt} and {@code promisedBy} are those of {@code GET
 * /v1/print-jobs/{id}/promise}.
 */
@Serdeable
@Resource(table = "printJob", view = Permission.QUEUE_VIEW)
public record PrintJob(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @References(value = "partBuild", inverse = "printJobs") @SystemSet
        String partBuildId,

        @SystemSet int quantityIndex,
        @SystemSet int quantityTotal,
        @SystemSet @Nullable String thumbnailUri,
        @SystemSet @Default("[]") List<FileToPrint> filesToPrint,
        @SystemSet @Nullable String slicerInputHash,
        @SystemSet @Default("false") boolean isGcodeCached,
        @SystemSet @Nullable String slicedGcodeUri,

        @References(value = "part", onDelete = References.OnDelete.KEEP_ID) @SystemSet
        String partId,

        @SystemSet String partName,

        @References(value = "sku", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String skuId,

        @SystemSet @Nullable String skuName,
        @SystemSet @Default("[]") List<ParameterOverride> parameterOverrides,

        @References(value = "order", inverse = "printJobs", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String orderId,

        @References(value = "orderItem", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String orderItemId,

        @References(value = "linkedPart", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String linkedPartId,

        @Nullable String label,
        @SystemSet @Nullable Integer skuInstance,
        @SystemSet long queueOrder,
        @SystemSet @Default("100") @Priority int priority,
        @SystemSet @Default("{}") PrintTags requiredPrinterTags,
        @SystemSet @Nullable String overriddenProcessProfileId,
        @SystemSet int taskId,
        @SystemSet @Default("[]") List<String> profileUris,

        @References(value = "printer", as = "printer", onDelete = References.OnDelete.KEEP_ID) @SystemSet @Nullable
        String assignedPrinterId,

        @SystemSet @Nullable Instant assignmentStartedAt,
        @SystemSet @Nullable Instant assignmentCompletedAt,
        @SystemSet @Nullable Instant printingStartedAt,
        @SystemSet @Nullable Instant printingCompletedAt,
        @Computed @SystemSet @Nullable Instant startedAt,
        @Computed @SystemSet @Nullable Instant completedAt,
        @SystemSet @Nullable Instant cancelledAt,
        @SystemSet @Default("\"Pending\"") JobStatus status,
        @SystemSet @Nullable String errorMessage,
        @SystemSet @Default("false") boolean hidden,
        @SystemSet @Nullable String logsUri,
        @SystemSet @Nullable Extensions extensions,
        @SystemSet @Nullable Map<String, Slot> materialMapping,
        @SystemSet @Nullable Map<String, List<Assignment>> materialAssignments,
        @SystemSet @Nullable Long estimatedSeconds,
        @SystemSet @Nullable Double estimatedGrams,
        @Default("false") boolean allowInsufficientMaterial,
        @SystemSet @Nullable Long actualSeconds,
        @SystemSet @Nullable Long heatingSeconds,
        @SystemSet @Nullable Long pausedSeconds,
        @SystemSet @Nullable Instant pausedAt,
        @SystemSet @Nullable Double actualGrams,
        @SystemSet @Default("1") int attempt,
        @SystemSet @Nullable Integer layerCount,
        @SystemSet @Nullable Double firstLayerBedTemperature,
        @SystemSet @Nullable Double firstLayerNozzleTemperature,
        @SystemSet @Nullable String replacesJobId,
        @SystemSet @Nullable Integer replacesAttempt,
        @SystemSet @Default("0") int retries,
        @SystemSet @Default("[]") List<String> failedPrinterIds,
        @SystemSet @Nullable String policyReason,
        @SystemSet @Nullable Integer good,
        @SystemSet @Nullable Integer rejected,
        @SystemSet @Nullable String qualityReason,
        @SystemSet @Default("[]") List<String> skippedObjects,
        @OnRequest @Computed @SystemSet @Nullable Instant bedClearedAt,
        @OnRequest @Computed @SystemSet @Nullable Instant promisedAt,
        @OnRequest @Computed @SystemSet @Nullable Instant promisedBy) {
    /** The fields of one attempt: its printer, times and outcome. */
    public static final List<Field<PrintJob>> OF_ONE_ATTEMPT = List.of(
            PrintJob::assignedPrinterId,
            PrintJob::assignmentStartedAt,
            PrintJob::assignmentCompletedAt,
            PrintJob::printingStartedAt,
            PrintJob::printingCompletedAt,
            PrintJob::cancelledAt,
            PrintJob::errorMessage,
            PrintJob::materialMapping,
            PrintJob::actualSeconds,
            PrintJob::heatingSeconds,
            PrintJob::pausedSeconds,
            PrintJob::pausedAt,
            PrintJob::actualGrams,
            PrintJob::policyReason,
            PrintJob::good,
            PrintJob::rejected,
            PrintJob::qualityReason);

    @Serdeable
    public record FileToPrint(
            String uri, String sha256, @Min(0) long size, String name) {}

    @Serdeable
    public record ParameterOverride(String name, Object value) {}

    @Serdeable
    public record Extensions(@JsonProperty("3mf") Plate threeMf) {}

    /**
     * The plate of a 3MF to print; {@code gcodeFile} is its entry in the archive, null until it is sliced. The objects of {@code
     * skipObjects} are left out of the print.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Plate(
            int plateId,
            @Nullable String gcodeFile,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<String> skipObjects) {}

    /** A filament slot of a printer: the unit and the slot in it, both counted from 0. */
    @Serdeable
    public record Slot(int amsIndex, int slotIndex) implements Comparable<Slot> {
        private static final Comparator<Slot> BY_PLACE =
                Comparator.comparingInt(Slot::amsIndex).thenComparingInt(Slot::slotIndex);

        @Override
        public int compareTo(Slot other) {
            return BY_PLACE.compare(this, other);
        }
    }
}
