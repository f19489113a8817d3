package farm.gantry.ingest.stage;

import farm.gantry.file.FileUri;
import farm.gantry.ingest.cad.Modeller;
import farm.gantry.ingest.file.FileReaders;
import farm.gantry.ingest.file.Sha256;
import farm.gantry.ingest.file.WorkFiles;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.reading.Content;
import farm.gantry.ingest.reading.GcodeFacts;
import farm.gantry.ingest.reading.Reading;
import farm.gantry.ingest.reading.Toolpath;
import farm.gantry.ingest.slicer.Slicers.NoSlicerException;
import farm.gantry.ingest.slicer.Slicers.Order;
import farm.gantry.part.Part;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.printer.BedSize;
import farm.gantry.wire.IngestRequest;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What each stage does. A file of another kind than it claims fails {@code fetch}; one of the right kind that is broken
 * fails {@code read-metadata}, where its content is first opened.
 */
record Stages(IngestRequest request, WorkFiles files, Path folder, Toolchain toolchain) {

    StageResult<Path> fetch() throws IOException {
        Path file = folder.resolve("part");
        long size = fetched(0, file);
        Content.of(file).requireFit(request.type());
        if (Modeller.isOfSeveralFiles(request.type())) {
            for (int index = 1; index < request.fileUris().size(); index++) {
                size += fetched(index, beside(index));
                refuseOver(size);
            }
        }
        return StageResult.done(file, null);
    }

    private long fetched(int index, Path to) throws IOException {
        try {
            files.fetch(source(index), to);
        } catch (NoSuchFileException absent) {
            throw new BadFileException("The file is not there: it was never uploaded, or has been removed", absent);
        }
        long size = Files.size(to);
        refuseOver(size);
        if (!Sha256.of(to).equalsIgnoreCase(request.fileHashes().get(index))) {
            throw new BadFileException("The file is not the one that was uploaded: its SHA-256 differs");
        }
        return size;
    }

    private void refuseOver(long size) throws BadFileException {
        if (size > toolchain.limits().fileBytes()) {
            throw new BadFileException(
                    "The file is larger than " + (toolchain.limits().fileBytes() >> 20) + " MB");
        }
    }

    /** Where the model looks for what it includes: under the name it was uploaded with. */
    private Path beside(int index) throws IOException {
        String name = source(index).fileName();
        if (Modeller.isReserved(name)) {
            throw new BadFileException("No file beside the model may be called " + name);
        }
        return Files.createDirectories(folder.resolve(PartMesh.BESIDE)).resolve(name);
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

    StageResult<Reading> readMetadata(Path file) throws IOException {
        Reading reading = FileReaders.read(file, request.type());
        SortedMap<Integer, Toolpath> toolpaths = FileReaders.toolpaths(file, reading);
        List<String> warnings = warnings(reading, toolpaths.values());
        Part.Type corrected = reading.type() == request.type() ? null : reading.type();
        return switch (reading.type()) {
            case step, scad, cadquery, build123d ->
                new PartMesh(request, files, folder, toolchain.tools()).of(file, reading);
            case stl, THREE_MF, gcode3mf, gcode ->
                StageResult.done(
                        reading.with(printed(toolpaths)),
                        Findings.read(
                                        corrected,
                                        reading.metadata(),
                                        reading.materials(),
                                        null,
                                        null,
                                        size(toolpaths.values()))
                                .with(warnings));
        };
    }

    private static SortedMap<Integer, Bounds> printed(SortedMap<Integer, Toolpath> toolpaths) {
        SortedMap<Integer, Bounds> printed = new TreeMap<>();
        toolpaths.forEach((plate, toolpath) -> printed.put(plate, toolpath.printed()));
        return printed;
    }

    /** The plates are printed one at a time. */
    private static @Nullable BedSize size(Collection<Toolpath> toolpaths) {
        return toolpaths.stream().map(Toolpath::size).reduce(null, BedSize::around, BedSize::around);
    }

    private List<String> warnings(Reading reading, Collection<Toolpath> toolpaths) throws BadFileException {
        List<String> warnings = new ArrayList<>(reading.warnings());
        String missing = first(toolpaths, Toolpath::missing);
        String doubt = first(toolpaths, Toolpath::doubt);
        if (missing != null) {
            if (!request.acceptIncomplete()) {
                throw new BadFileException(missing);
            }
            warnings.add(missing);
        } else if (doubt != null) {
            warnings.add(doubt);
        }
        return warnings;
    }

    private static @Nullable String first(Collection<Toolpath> toolpaths, Function<Toolpath, @Nullable String> saying) {
        return toolpaths.stream()
                .flatMap(toolpath -> Stream.ofNullable(saying.apply(toolpath)))
                .findFirst()
                .orElse(null);
    }

    /** What is to be known of a part whose stage failed. */
    @Nullable
    Findings failed(StageKey stage, @Nullable String error) {
        return switch (request.type()) {
            case step, scad, cadquery, build123d ->
                stage == StageKey.READ_METADATA
                        ? Findings.mesh(
                                new StageReport.Mesh(null, request.fileHashes().getFirst(), error))
                        : null;
            case stl, THREE_MF, gcode3mf, gcode -> null;
        };
    }

    StageResult<Reading> thumbnails(Path file, Reading reading) throws IOException {
        return new PartPictures(request, files, folder).of(file, reading);
    }

    StageResult<Reading> splitPlates(Path file, Reading reading) throws IOException {
        SortedMap<Integer, Path> pieces = FileReaders.of(file, reading.type()).split(file, folder);
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
        return StageResult.done(reading, Findings.plates(uris));
    }

    StageResult<Reading> estimate(Path file, Reading reading) throws IOException {
        return switch (Estimates.of(reading, toolchain.clock().instant())) {
            case Estimates.Known known -> StageResult.done(reading, Findings.estimate(known.estimate()));
            case Estimates.Unsaid unsaid -> StageResult.skipped(reading, unsaid.why());
            case Estimates.NotSliced _ -> sliced(file, reading);
        };
    }

    /** What cannot be sliced as it is here may well be with a printer's own profiles. */
    private StageResult<Reading> sliced(Path file, Reading reading) throws IOException {
        var slices = new PartSlices(request, files, folder, toolchain.slicers());
        try {
            Order order = slices.order(file, reading);
            SortedMap<Integer, GcodeFacts> facts = new TreeMap<>();
            slices.all(file, reading, order).forEach((plate, slice) -> facts.put(plate, slice.facts()));
            return StageResult.done(
                    reading,
                    Findings.estimate(Estimates.ofSlices(
                            facts, order.recipe().profiles(), toolchain.clock().instant())));
        } catch (BadFileException | NoSlicerException unknown) {
            return StageResult.skipped(reading, unknown.getMessage());
        }
    }

    /** A kept file of one plate is its own piece; a staged one would be gone tomorrow. */
    private FileUri uri(int plate, Path piece, boolean whole) throws BadFileException {
        FileUri source = source();
        if (whole) {
            return source.area() == FileUri.Area.files ? source : produced("plate_" + plate + ".gcode.3mf");
        }
        return produced(piece.getFileName().toString());
    }

    /** By run and name, so that a run that is done again replaces what it made. */
    private FileUri produced(String name) {
        return FileUri.file(request.storeId(), request.partId(), "runs/" + request.workflowKey() + "/" + name);
    }
}
