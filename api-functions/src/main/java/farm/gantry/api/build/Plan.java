package farm.gantry.api.build;

import farm.gantry.Id;
import farm.gantry.api.Fault;
import farm.gantry.api.file.LocalFiles;
import farm.gantry.api.file.StoredFile;
import farm.gantry.build.PartBuild;
import farm.gantry.file.FileUri;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PrintTags;
import farm.gantry.part.SlicingEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One wish worked out: the plates of a part that are printed for each copy, and how often. */
record Plan(Part part, BuildRequest.PartWish wish, PrintTags tags, List<Sheet> sheets) {

    /** One plate to print; a part that is plain G-code has one sheet without a plate. */
    record Sheet(
            @Nullable Integer plateId,
            @Nullable String plateName,
            @Nullable String gcodeFile,
            @Nullable String thumbnailUri,
            StoredFile file,
            @Nullable Long seconds,
            @Nullable Double grams,
            @Nullable Integer layerCount,
            SlicingEstimate.@Nullable FirstLayer firstLayer,
            int copies) {}

    /** One job of the plan: a sheet of one copy of the part. */
    record Copy(int quantityIndex, Sheet sheet) {}

    /** Works a wish out; what is wrong with it goes to {@code faults}, and the plan is then empty. */
    static Optional<Plan> of(
            Part part, BuildRequest.PartWish wish, String path, LocalFiles files, Consumer<Fault> faults) {
        List<Sheet> sheets = new ArrayList<>();
        if (part.type() == Part.Type.gcode) {
            sheets.add(whole(part, files));
        } else if (part.type() == Part.Type.gcode3mf) {
            plates(part, wish, path, files, sheets::add, faults);
        } else {
            faults.accept(new Fault(
                    path + ".partId",
                    "unsupported",
                    "part '" + part.name() + "' has no G-code and cannot be printed as it is"));
        }
        return sheets.isEmpty() ? Optional.empty() : Optional.of(new Plan(part, wish, tags(part, wish), sheets));
    }

    private static Sheet whole(Part part, LocalFiles files) {
        SlicingEstimate estimate = part.slicingEstimate();
        return new Sheet(
                null,
                null,
                null,
                part.thumbnailUri(),
                kept(part.fileUris().getFirst(), files),
                estimate == null ? null : estimate.estimatedPrintTimeSeconds(),
                estimate == null ? null : estimate.totalWeightGrams(),
                estimate == null ? null : estimate.layerCount(),
                estimate == null ? null : estimate.firstLayer(),
                1);
    }

    private static void plates(
            Part part,
            BuildRequest.PartWish wish,
            String path,
            LocalFiles files,
            Consumer<Sheet> sheets,
            Consumer<Fault> faults) {
        Map<String, Integer> wanted = wish.plateQuantities();
        List<PartMetadata.Plate> printable =
                part.metadata() == null || part.metadata().plates() == null
                        ? List.of()
                        : part.metadata().plates().stream()
                                .filter(plate -> plate.gcodeFile() != null
                                        && !plate.gcodeFile().isEmpty())
                                .toList();
        if (wanted != null) {
            wanted.forEach((plate, copies) -> {
                String at = path + ".plateQuantities." + plate;
                if (printable.stream()
                        .noneMatch(each -> String.valueOf(each.id()).equals(plate))) {
                    faults.accept(new Fault(at, "not_found", "the part has no printable plate " + plate));
                } else if (copies < 0 || copies > 500) {
                    faults.accept(new Fault(at, "range", at + " must be 0 to 500"));
                }
            });
        }
        if (printable.isEmpty()) {
            faults.accept(new Fault(path + ".partId", "unsupported", "the part has no plate with G-code"));
        }
        for (PartMetadata.Plate plate : printable) {
            int copies = wanted == null ? 1 : wanted.getOrDefault(String.valueOf(plate.id()), 0);
            sheets.accept(sheet(part, plate, copies, files));
        }
    }

    private static Sheet sheet(Part part, PartMetadata.Plate plate, int copies, LocalFiles files) {
        String own =
                part.gcodePlateUris() == null ? null : part.gcodePlateUris().get(String.valueOf(plate.id()));
        Optional<SlicingEstimate.Plate> estimate = Stream.ofNullable(part.slicingEstimate())
                .flatMap(all -> Stream.ofNullable(all.plates()).flatMap(List::stream))
                .filter(each -> each.plateId() == plate.id())
                .findFirst();
        return new Sheet(
                plate.id(),
                plate.name(),
                plate.gcodeFile(),
                plate.thumbnailRenderedUri() != null ? plate.thumbnailRenderedUri() : plate.thumbnailUploadedUri(),
                kept(own == null ? part.fileUris().getFirst() : own, files),
                estimate.map(SlicingEstimate.Plate::estimatedPrintTimeSeconds).orElse(null),
                estimate.map(SlicingEstimate.Plate::totalWeightGrams).orElse(null),
                estimate.map(SlicingEstimate.Plate::layerCount).orElse(null),
                estimate.map(SlicingEstimate.Plate::firstLayer).orElse(null),
                copies);
    }

    private static StoredFile kept(String uri, LocalFiles files) {
        return FileUri.parse(uri)
                .flatMap(files::find)
                .orElseThrow(() -> new IllegalStateException("the file " + uri + " of a ready part is gone"));
    }

    /** The part's own tags; one that the wish names replaces the part's. */
    private static PrintTags tags(Part part, BuildRequest.PartWish wish) {
        PrintTags own = part.printTags();
        PrintTags more = wish.tags();
        return more == null
                ? own
                : new PrintTags(
                        or(more.filamentType(), own.filamentType()),
                        or(more.printerId(), own.printerId()),
                        or(more.modelName(), own.modelName()),
                        or(more.nozzleDiameter(), own.nozzleDiameter()),
                        or(more.provider(), own.provider()),
                        or(more.userTags(), own.userTags()));
    }

    private static @Nullable String or(@Nullable String first, @Nullable String second) {
        return first == null ? second : first;
    }

    /** Every job of the plan, copy by copy. */
    List<Copy> copies() {
        return IntStream.rangeClosed(1, wish.quantity())
                .boxed()
                .flatMap(index -> sheets.stream()
                        .flatMap(sheet -> IntStream.range(0, sheet.copies()).mapToObj(_ -> new Copy(index, sheet))))
                .toList();
    }

    /** The job of one copy, at its place in the queue. */
    PrintJob job(PartBuild build, Copy copy, long queueOrder, int taskId) {
        Sheet sheet = copy.sheet();
        Integer plateId = sheet.plateId();
        StoredFile file = sheet.file();
        return new PrintJob(
                Id.next(),
                build.storeId(),
                build.createdAt(),
                build.createdAt(),
                build.id(),
                copy.quantityIndex(),
                wish.quantity(),
                thumbnail(sheet),
                List.of(new PrintJob.FileToPrint(
                        file.uri().toString(),
                        file.sha256(),
                        file.size(),
                        file.uri().fileName())),
                file.sha256(),
                true,
                file.uri().toString(),
                part.id(),
                part.name(),
                null,
                null,
                List.of(),
                null,
                null,
                null,
                wish.label(),
                null,
                queueOrder,
                wish.priority(),
                tags,
                part.overriddenProcessProfileId(),
                taskId,
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
                plateId == null ? null : new PrintJob.Extensions(new PrintJob.Plate(plateId, sheet.gcodeFile(), null)),
                null,
                null,
                sheet.seconds(),
                sheet.grams(),
                null,
                null,
                0,
                sheet.layerCount(),
                sheet.firstLayer() == null ? null : sheet.firstLayer().bedTemperature(),
                sheet.firstLayer() == null ? null : sheet.firstLayer().nozzleTemperature());
    }

    @Nullable
    String thumbnail(Sheet sheet) {
        return or(sheet.thumbnailUri(), part.thumbnailUri());
    }
}
