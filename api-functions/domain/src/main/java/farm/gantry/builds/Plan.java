package farm.gantry.builds;

import farm.gantry.Id;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.sku.LinkedPart;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One wish worked out: {@code quantity} copies of a part, so many {@code ofInstance} in each instance of its SKU, and the
 * sheets printed for each copy. {@code parameters} are what they are printed with beside the part's own, {@code materials}
 * what each filament may be.
 */
public record Plan(
        Part part,
        @Nullable LinkedPart linkedPart,
        int quantity,
        int ofInstance,
        @Nullable String label,
        PrintTags tags,
        @Nullable Map<String, Integer> plateQuantities,
        Map<String, List<Assignment>> materials,
        Map<String, Object> parameters,
        List<Serial> serials,
        List<Sheet> sheets) {

    /** One job of the plan: a sheet of one copy of the part; both count from 1. */
    public record Copy(int quantityIndex, @Nullable Integer skuInstance, Sheet sheet) {}

    public long jobCount() {
        return (long) quantity * sheets.stream().mapToInt(Sheet::copies).sum();
    }

    /** Every job of the plan, copy by copy. */
    public Stream<Copy> copies() {
        return IntStream.rangeClosed(1, quantity).boxed().flatMap(this::copy);
    }

    private Stream<Copy> copy(Integer index) {
        Integer instance = linkedPart == null ? null : (index - 1) / ofInstance + 1;
        return sheets.stream()
                .flatMap(sheet -> IntStream.range(0, sheet.copies()).mapToObj(_ -> new Copy(index, instance, sheet)));
    }

    /** The same with the values that files were found for. */
    public Plan with(Map<String, Object> values) {
        return new Plan(
                part,
                linkedPart,
                quantity,
                ofInstance,
                label,
                tags,
                plateQuantities,
                materials,
                values,
                serials,
                sheets);
    }

    /** What a job of the sheet is called: what was said of its plate, or of the build, or its part's name. */
    public String label(Sheet sheet) {
        String said = sheet.label() == null ? label : sheet.label();
        return said == null ? part.name() : said;
    }

    /** A job of the plan's build, without its place in the queue; {@code file} is null where it is yet to be sliced. */
    public PrintJob job(
            PartBuild build,
            @Nullable String skuName,
            Copy copy,
            Map<String, Object> serials,
            PrintJob.@Nullable FileToPrint file) {
        Sheet sheet = copy.sheet();
        SlicingEstimate.FirstLayer firstLayer = sheet.firstLayer();
        return new PrintJob(
                Id.next(),
                build.storeId(),
                build.createdAt(),
                build.createdAt(),
                build.id(),
                copy.quantityIndex(),
                quantity,
                sheet.thumbnailUri(),
                file == null ? List.of() : List.of(file),
                file == null ? null : file.sha256(),
                file != null,
                file == null ? null : file.uri(),
                build.partId(),
                build.partName(),
                build.skuId(),
                skuName,
                overrides(serials),
                build.orderId(),
                build.orderItemId(),
                build.linkedPartId(),
                label(sheet),
                copy.skuInstance(),
                0,
                build.priority(),
                tags,
                part.overriddenProcessProfileId(),
                0,
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                JobStatus.Pending,
                null,
                false,
                null,
                extensions(sheet),
                null,
                Choices.of(materials, sheet),
                sheet.seconds(),
                sheet.grams(),
                null,
                null,
                0,
                sheet.layerCount(),
                firstLayer == null ? null : firstLayer.bedTemperature(),
                firstLayer == null ? null : firstLayer.nozzleTemperature());
    }

    private List<PrintJob.ParameterOverride> overrides(Map<String, Object> serials) {
        return Stream.of(parameters, serials)
                .flatMap(values -> values.entrySet().stream())
                .map(each -> new PrintJob.ParameterOverride(each.getKey(), each.getValue()))
                .toList();
    }

    /** A file of G-code is one plate; a model is told its plate when it is sliced. */
    private static PrintJob.@Nullable Extensions extensions(Sheet sheet) {
        Integer plateId = sheet.plateId() == null && sheet.fileUri() != null ? Integer.valueOf(1) : sheet.plateId();
        return plateId == null
                ? null
                : new PrintJob.Extensions(new PrintJob.Plate(plateId, sheet.gcodeFile(), sheet.skipObjects()));
    }
}
