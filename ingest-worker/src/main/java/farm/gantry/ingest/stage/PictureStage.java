package farm.gantry.ingest.stage;

import farm.gantry.file.FileUri;
import farm.gantry.ingest.drawing.SceneRenderer;
import farm.gantry.ingest.drawing.ToolpathPictureBuilder;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.file.PartReaders;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Picture.Use;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Plate;
import farm.gantry.part.PartMetadata.Plate.Pictures;
import farm.gantry.printer.BedSize;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.StageReport.Findings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pictures of a part: those inside its file, each plate drawn from its meshes, and each printed plate without a picture
 * in the file drawn from its moves. Drawings are stored with the part under the hash of the file they show, so that each is
 * drawn once.
 */
record PictureStage(IngestRequest request, PartFileStorage files, Path folder) {
    private static final Logger LOG = LoggerFactory.getLogger(PictureStage.class);
    private static final int SIDE = 512;
    private static final double WIDER_THAN_NOZZLE = 1.15;

    /** Collects the pictures. An error skips the stage and never fails the part. */
    StageResult<ReadResult> of(Path file, ReadResult reading) throws IOException {
        List<Picture> pictures = new ArrayList<>();
        String embeddedError = collect(pictures, () -> PartReaders.extractPictures(file, reading.type(), folder));
        for (Picture picture : pictures) {
            files.put(uri(picture), picture.file());
        }
        List<Bounds> plateBounds = new ArrayList<>();
        String renderError = collect(pictures, () -> render(file, reading, plateBounds));
        String toolpathError = collect(pictures, () -> renderToolpath(file, reading, pictures));
        String error = Stream.of(embeddedError, renderError, toolpathError)
                .flatMap(Stream::ofNullable)
                .findFirst()
                .orElse(null);
        ReadResult pictured = withUris(reading, pictures);
        Findings findings = pictures.isEmpty()
                ? null
                : Findings.ofImages(pictured.metadata(), uri(cover(pictures)).toString(), size(plateBounds));
        if (error != null) {
            return StageResult.skipped(pictured, error, findings);
        }
        return findings == null ? StageResult.skipped(pictured) : StageResult.done(pictured, findings);
    }

    @FunctionalInterface
    private interface PictureSource {
        List<Picture> pictures() throws IOException;
    }

    private @Nullable String collect(List<Picture> pictures, PictureSource source) throws IOException {
        try {
            pictures.addAll(source.pictures());
            return null;
        } catch (BadFileException bad) {
            return bad.getMessage();
        } catch (OutOfMemoryError | RuntimeException bug) {
            LOG.error("pictures of part {}", request.partId(), bug);
            return "The part could not be drawn, or its pictures not be read";
        }
    }

    /** The size of the largest plate; null where nothing was rendered. */
    private static @Nullable BedSize size(List<Bounds> plateBounds) {
        return plateBounds.stream()
                .map(bounds -> new BedSize(bounds.width(), bounds.depth(), bounds.height()))
                .reduce(null, BedSize::smallestEnclosing, BedSize::smallestEnclosing);
    }

    private List<Picture> render(Path file, ReadResult reading, List<Bounds> plateBounds) throws IOException {
        List<Picture> drawn = new ArrayList<>();
        PartMetadata metadata = reading.metadata();
        List<String> colors = metadata == null ? List.of() : metadata.filamentColors();
        for (var plate : PartReaders.readScenes(file, reading).entrySet()) {
            if (!plate.getValue().bounds().isEmpty()) {
                plateBounds.add(plate.getValue().bounds());
                drawn.add(render(plate.getKey(), plate.getValue(), colors));
            }
        }
        return drawn;
    }

    private Picture render(int plate, Scene scene, List<String> colors) throws IOException {
        return cached("drawn_" + plate + ".png", plate, () -> SceneRenderer.renderPng(scene, colors, SIDE));
    }

    private List<Picture> renderToolpath(Path file, ReadResult reading, List<Picture> known) throws IOException {
        List<Picture> traced = new ArrayList<>();
        for (var plate : reading.printed().entrySet()) {
            int id = plate.getKey();
            boolean pictured = known.stream()
                    .anyMatch(picture ->
                            picture.use() == Use.THUMBNAIL && (picture.plateId() == 0 || picture.plateId() == id));
            if (!pictured) {
                traced.add(cached(
                        "printed_" + id + ".png", id, () -> renderToolpath(file, reading, id, plate.getValue())));
            }
        }
        return traced;
    }

    private static byte[] renderToolpath(Path file, ReadResult reading, int plate, Bounds printed) throws IOException {
        if (printed.isEmpty()) {
            return SceneRenderer.renderEmptyPlate(SIDE);
        }
        PartMetadata metadata = Objects.requireNonNull(reading.metadata());
        String nozzle = metadata.nozzleDiameter();
        double width = nozzle.isEmpty() ? 0 : WIDER_THAN_NOZZLE * Double.parseDouble(nozzle);
        var drawing = new ToolpathPictureBuilder(printed, metadata.filamentColors(), width, SIDE);
        PartReaders.summarizeToolpath(file, reading, plate, drawing);
        return drawing.png();
    }

    @FunctionalInterface
    private interface PngSource {
        byte[] png() throws IOException;
    }

    private Picture cached(String name, int plate, PngSource drawing) throws IOException {
        Path image = folder.resolve(name);
        var picture = new Picture(Use.RENDERED, plate, image);
        if (!files.fetchIfExists(uri(picture), image)) {
            Files.write(image, drawing.png());
            files.put(uri(picture), image);
        }
        return picture;
    }

    private ReadResult withUris(ReadResult reading, List<Picture> pictures) {
        PartMetadata metadata = reading.metadata();
        if (metadata == null || pictures.isEmpty()) {
            return reading;
        }
        boolean drawn = pictures.stream().anyMatch(picture -> picture.use() == Use.RENDERED);
        String drawnFrom = drawn ? request.fileHashes().getFirst() : null;
        return reading.with(metadata.with(
                drawnFrom,
                plate -> plate.withUris(new Pictures(
                        uri(plate, Use.PICK, pictures),
                        uri(plate, Use.TOP, pictures),
                        uri(plate, Use.THUMBNAIL, pictures),
                        uri(plate, Use.RENDERED, pictures)))));
    }

    /** Returns the first plate's thumbnail, or else the first picture of any other use. */
    private static Picture cover(List<Picture> pictures) {
        return pictures.stream()
                .min(Comparator.comparing(Picture::use).thenComparingInt(Picture::plateId))
                .orElseThrow();
    }

    private @Nullable String uri(Plate plate, Use use, List<Picture> pictures) {
        return pictures.stream()
                .filter(picture -> picture.plateId() == plate.id() && picture.use() == use)
                .findFirst()
                .map(picture -> uri(picture).toString())
                .orElse(null);
    }

    private FileUri uri(Picture picture) {
        String name = picture.file().getFileName().toString();
        String source = request.fileHashes().getFirst();
        return switch (picture.use()) {
            case RENDERED ->
                FileUri.file(
                        request.storeId(), request.partId(), "made/" + source + "/" + SceneRenderer.STYLE + "/" + name);
            case THUMBNAIL, TOP, PICK ->
                FileUri.file(request.storeId(), request.partId(), "runs/" + request.workflowKey() + "/" + name);
        };
    }
}
