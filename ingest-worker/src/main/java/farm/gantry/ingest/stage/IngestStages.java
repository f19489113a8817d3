package farm.gantry.ingest.stage;

import farm.gantry.RecordBuilder;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.cad.CadMesher;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.file.PartReaders;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.reading.DetectedFileType;
import farm.gantry.ingest.reading.FileHash;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.reading.ToolpathSummary;
import farm.gantry.ingest.slicer.Slicers.NoSlicerException;
import farm.gantry.ingest.slicer.Slicers.SliceJob;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartParameter;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceSetup;
import farm.gantry.wire.StageReport;
import farm.gantry.wire.StageReport.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of each stage. A file whose type differs from the claimed one fails {@code fetch}; one of the right type that is broken
 * fails {@code read-metadata}, where its content is first opened.
 */
record IngestStages(IngestRequest request, PartFileStorage files, Path folder, Toolchain toolchain) {

    StageResult<Path> fetch() throws IOException {
        Path file = folder.resolve("part");
        long size = download(0, file);
        DetectedFileType.detect(file).requireType(request.type());
        if (CadMesher.canIncludeFiles(request.type())) {
            for (int index = 1; index < request.fileUris().size(); index++) {
                size += download(index, includedFile(index));
                requireSize(size);
            }
            for (PartParameter parameter : request.parameters()) {
                FileUri uri = CachedTessellation.fileUri(parameter, request.storeId());
                if (uri != null) {
                    Path to = folder.resolve(CachedTessellation.relativePath(uri));
                    Files.createDirectories(to.getParent());
                    size += fetch(uri, to, "The file for '" + parameter.name() + "'");
                    requireSize(size);
                }
            }
        }
        return StageResult.done(file, null);
    }

    private long fetch(FileUri uri, Path to, String what) throws IOException {
        try {
            files.fetch(uri, to);
        } catch (NoSuchFileException absent) {
            throw new BadFileException(what + " is not there: it was never uploaded, or has been removed", absent);
        }
        long size = Files.size(to);
        requireSize(size);
        return size;
    }

    private long download(int index, Path to) throws IOException {
        long size = fetch(source(index), to, "The file");
        if (!FileHash.of(to).equalsIgnoreCase(request.fileHashes().get(index))) {
            throw new BadFileException(
                    "The file is not the one that was uploaded: its SHA-256 differs. Upload it again");
        }
        return size;
    }

    private void requireSize(long size) throws BadFileException {
        if (size > toolchain.limits().fileBytes()) {
            throw new BadFileException(
                    "The file is larger than " + (toolchain.limits().fileBytes() >> 20) + " MB");
        }
    }

    /** The path of an included file: under the name it was uploaded with. */
    private Path includedFile(int index) throws IOException {
        String name = source(index).fileName();
        if (CadMesher.isReserved(name)) {
            throw new BadFileException("No file beside the model may be called " + name);
        }
        return Files.createDirectories(folder.resolve(CachedTessellation.INCLUDES_FOLDER))
                .resolve(name);
    }

    private FileUri source() throws BadFileException {
        return source(0);
    }

    private FileUri source(int index) throws BadFileException {
        String uri = request.fileUris().get(index);
        return FileUri.parse(uri)
                .filter(address -> address.storeId().equals(request.storeId()))
                .orElseThrow(() -> new BadFileException("Not the address of a file of this store: " + uri));
    }

    StageResult<ReadResult> readMetadata(Path file) throws IOException {
        ReadResult reading = PartReaders.read(file, request.type());
        SortedMap<Integer, ToolpathSummary> toolpaths = PartReaders.summarizeToolpaths(file, reading);
        List<String> warnings = warnings(reading, toolpaths.values());
        Part.Type corrected = reading.type() == request.type() ? null : reading.type();
        return switch (reading.type()) {
            case step, scad, cadquery, build123d ->
                new CachedTessellation(request, files, folder, toolchain.tools()).of(file, reading);
            case stl, THREE_MF, gcode3mf, gcode ->
                StageResult.done(
                        reading.with(printed(toolpaths)),
                        Findings.ofFile(
                                        corrected,
                                        reading.metadata(),
                                        reading.materials(),
                                        TextSlotParameters.withMissingSlots(reading, request.parameters()),
                                        null,
                                        size(toolpaths.values()))
                                .with(toolpath(toolpaths.values()))
                                .with(warnings));
        };
    }

    private static SortedMap<Integer, Bounds> printed(SortedMap<Integer, ToolpathSummary> toolpaths) {
        SortedMap<Integer, Bounds> printed = new TreeMap<>();
        toolpaths.forEach((plate, toolpath) -> printed.put(plate, toolpath.printed()));
        return printed;
    }

    /** The plates are printed one at a time. */
    private static @Nullable BedSize size(Collection<ToolpathSummary> toolpaths) {
        return toolpaths.stream()
                .map(ToolpathSummary::size)
                .reduce(null, BedSize::smallestEnclosing, BedSize::smallestEnclosing);
    }

    private static @Nullable Toolpath toolpath(Collection<ToolpathSummary> toolpaths) {
        return toolpaths.stream()
                .map(ToolpathSummary::toolpath)
                .reduce(Toolpath::merge)
                .orElse(null);
    }

    private List<String> warnings(ReadResult reading, Collection<ToolpathSummary> toolpaths) throws BadFileException {
        List<String> warnings = new ArrayList<>(reading.warnings());
        String missing = firstMessage(toolpaths, ToolpathSummary::missing);
        String doubt = firstMessage(toolpaths, ToolpathSummary::doubt);
        if (missing != null) {
            if (!request.acceptIncomplete()) {
                throw new BadFileException(missing);
            }
            warnings.add(missing);
        } else if (doubt != null) {
            warnings.add(doubt);
        }
        if (toolpaths.stream().anyMatch(toolpath -> !toolpath.toolpath().isPrint())) {
            warnings.add("The G-code moves and extrudes nothing, so it is not a print");
        }
        return warnings;
    }

    private static @Nullable String firstMessage(
            Collection<ToolpathSummary> toolpaths, Function<ToolpathSummary, @Nullable String> saying) {
        return toolpaths.stream()
                .flatMap(toolpath -> Stream.ofNullable(saying.apply(toolpath)))
                .findFirst()
                .orElse(null);
    }

    /** The findings of a part whose stage failed. */
    @Nullable
    Findings failed(StageKey stage, @Nullable String error) {
        return switch (request.type()) {
            case step, scad, cadquery, build123d ->
                stage == StageKey.READ_METADATA
                        ? Findings.ofMesh(
                                new StageReport.Mesh(null, request.fileHashes().getFirst(), error))
                        : null;
            case stl, THREE_MF, gcode3mf, gcode -> null;
        };
    }

    StageResult<ReadResult> thumbnails(Path file, ReadResult reading) throws IOException {
        return new PictureStage(request, files, folder).of(file, reading);
    }

    StageResult<ReadResult> splitPlates(Path file, ReadResult reading) throws IOException {
        SortedMap<Integer, Path> pieces =
                PartReaders.chooseReader(file, reading.type()).split(file, folder);
        if (pieces.isEmpty()) {
            return StageResult.skipped(reading);
        }
        Map<String, String> uris = new TreeMap<>();
        for (var piece : pieces.entrySet()) {
            FileUri uri = uri(piece.getKey(), piece.getValue(), piece.getValue().equals(file));
            if (!uri.equals(source())) {
                files.put(uri, piece.getValue());
            }
            uris.put(piece.getKey().toString(), uri.toString());
        }
        return StageResult.done(reading, Findings.ofPlates(uris));
    }

    StageResult<ReadResult> estimate(Path file, ReadResult reading) throws IOException {
        return switch (EstimateCalculator.estimate(reading, toolchain.clock().instant())) {
            case EstimateCalculator.KnownEstimate known ->
                isOfAllPlates(known.estimate(), reading)
                        ? StageResult.done(reading, Findings.ofEstimate(known.estimate()))
                        : estimateBySlicing(file, reading);
            case EstimateCalculator.NoEstimate unknown -> StageResult.skipped(reading, unknown.why());
            case EstimateCalculator.NotSliced _ -> estimateBySlicing(file, reading);
        };
    }

    /**
     * Returns whether the estimate covers every plate that has something to print. A slicer estimates only the plates
     * that it has sliced.
     */
    private static boolean isOfAllPlates(SlicingEstimate estimate, ReadResult reading) {
        List<SlicingEstimate.Plate> plates = estimate.plates();
        List<PartMetadata.Plate> known =
                reading.metadata() == null ? null : reading.metadata().plates();
        if (reading.type() != Part.Type.THREE_MF || plates == null || known == null) {
            return true;
        }
        Set<Integer> estimated =
                plates.stream().map(SlicingEstimate.Plate::plateId).collect(Collectors.toSet());
        return known.stream().allMatch(plate -> plate.hasNothingToPrint() || estimated.contains(plate.id()));
    }

    /**
     * Slices with the settings of each kind of printer; where none succeeds, the part may still slice for a printer of
     * its own.
     */
    private StageResult<ReadResult> estimateBySlicing(Path file, ReadResult reading) throws IOException {
        List<SlicingEstimate> estimates = new ArrayList<>();
        String failure = null;
        for (SliceSetup setup : setups()) {
            try {
                estimates.add(estimate(file, reading, setup));
            } catch (BadFileException | NoSlicerException unknown) {
                failure = failure == null ? unknown.getMessage() : failure;
            }
        }
        return estimates.isEmpty()
                ? StageResult.skipped(reading, String.valueOf(failure))
                : StageResult.done(reading, Findings.ofEstimate(EstimateCalculator.combine(estimates)));
    }

    private List<SliceSetup> setups() {
        SliceSetup first = request.setup() == null ? SliceSetup.PLAIN : request.setup();
        return Stream.concat(Stream.of(first), request.otherSetups().stream()).toList();
    }

    private SlicingEstimate estimate(Path file, ReadResult reading, SliceSetup setup) throws IOException {
        IngestRequest own =
                RecordBuilder.copyOf(request).with(IngestRequest::setup, setup).build();
        var slices = new PlateSlicer(own, files, folder, toolchain.slicers());
        SliceJob job = slices.prepare(file, reading);
        SortedMap<Integer, GcodeMetadata> facts = new TreeMap<>();
        slices.all(file, reading, job).forEach((plate, slice) -> facts.put(plate, slice.facts()));
        return EstimateCalculator.combineSlices(
                facts, job.settings().profiles(), toolchain.clock().instant());
    }

    /**
     * Returns the address of a plate's file. A part file with one plate is used as it is, unless it is in temporary
     * storage.
     */
    private FileUri uri(int plate, Path piece, boolean whole) throws BadFileException {
        FileUri source = source();
        if (whole) {
            return source.area() == FileUri.Area.files ? source : producedUri("plate_" + plate + ".gcode.3mf");
        }
        return producedUri(piece.getFileName().toString());
    }

    /** By run and name, so that a repeated run replaces its files. */
    private FileUri producedUri(String name) {
        return FileUri.file(request.storeId(), request.partId(), "runs/" + request.workflowKey() + "/" + name);
    }
}
