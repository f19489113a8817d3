package farm.gantry.ingest.worker;

import static farm.gantry.part.Processing.StageKey.READ_METADATA;
import static farm.gantry.part.Processing.StageKey.SPLIT_PLATES;
import static farm.gantry.part.Processing.StageKey.estimate;
import static farm.gantry.part.Processing.StageKey.fetch;
import static farm.gantry.part.Processing.StageKey.thumbnails;
import static farm.gantry.part.Processing.StageStatus.done;
import static farm.gantry.part.Processing.StageStatus.failed;
import static farm.gantry.part.Processing.StageStatus.running;
import static farm.gantry.part.Processing.StageStatus.skipped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.FolderFiles;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.reading.Png;
import farm.gantry.ingest.sample.GcodeFiles;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata.Plate;
import farm.gantry.part.PartParameter;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.part.SlicingEstimate.Material;
import farm.gantry.printer.BedSize;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.StageReport;
import farm.gantry.wire.StageReport.Findings;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkerTest {
    @TempDir
    Path folder;

    /** Every run deletes its files from the worker's directory. */
    @AfterEach
    void assertWorkDirectoryIsEmpty() {
        assertThat(folder.resolve("work")).isEmptyDirectory();
    }

    private IngestedPart ingest(Path part, Part.Type type) throws IOException {
        return IngestedPart.of(folder, part, type);
    }

    private IngestedPart ingest(String text, Part.Type type) throws IOException {
        return ingest(GcodeFiles.write(folder, text), type);
    }

    private static List<StageStatus> statuses(IngestedPart ingest) {
        return ingest.reports().stream().map(report -> report.stage().status()).toList();
    }

    private static SlicingEstimate estimated(IngestedPart ingest) {
        return Objects.requireNonNull(ingest.findings(estimate).slicingEstimate());
    }

    @Test
    void gcodeRunsThroughEveryStageInOrder() throws IOException {
        IngestedPart ingest = ingest(GcodeFiles.PRUSA, Part.Type.gcode);
        assertThat(ingest.reports().stream().map(report -> report.stage().key()).distinct())
                .containsExactly(StageKey.values());
        assertThat(statuses(ingest))
                .containsExactly(running, done, running, done, running, done, running, skipped, running, done);
        assertThat(ingest.reports()).allSatisfy(report -> {
            assertThat(report.workflowKey()).isEqualTo(ingest.request().workflowKey());
            assertThat(report.partId()).isEqualTo(ingest.request().partId());
            assertThat(report.stage().attempts()).isEqualTo(1);
        });
    }

    @Test
    void findingsAreReportedWithTheirStages() throws IOException {
        IngestedPart ingest = ingest(GcodeFiles.PRUSA, Part.Type.gcode);
        assertThat(ingest.findings(READ_METADATA).type()).isNull();
        assertThat(Objects.requireNonNull(ingest.findings(READ_METADATA).metadata())
                        .printerModel())
                .isEqualTo("MINI");
        assertThat(ingest.findings(READ_METADATA).materials()).hasSize(2);
        assertThat(ingest.findings(READ_METADATA).size())
                .as("the room that its objects take")
                .isEqualTo(new BedSize(10, 20, 18.05));
        String cover = Objects.requireNonNull(ingest.findings(thumbnails).thumbnailUri());
        assertThat(cover)
                .isEqualTo(FileUri.file(
                                IngestedPart.STORE,
                                ingest.request().partId(),
                                "runs/" + ingest.request().workflowKey() + "/thumbnail.png")
                        .toString());
        assertThat(kept(ingest, cover)).hasBinaryContent(ThreemfFiles.PNG);
        assertThat(estimated(ingest))
                .isEqualTo(new SlicingEstimate(
                        93_784,
                        3.01,
                        "2026-03-04T10:20:30.000Z",
                        "slicer3 2.8.1",
                        List.of(new Material(0, "PETG", 3.01, 0.9866, "#FF8000")),
                        null,
                        null,
                        120,
                        new SlicingEstimate.FirstLayer(85.0, 230.0),
                        null));
    }

    private IngestedPart ingest(String text, boolean acceptIncomplete) throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest plain = IngestedPart.request(files, GcodeFiles.write(folder, text), Part.Type.gcode);
        return IngestedPart.of(
                folder,
                files,
                new IngestRequest(
                        plain.storeId(),
                        plain.partId(),
                        plain.workflowKey(),
                        2,
                        plain.type(),
                        plain.fileUris(),
                        plain.fileHashes(),
                        List.of(),
                        null,
                        acceptIncomplete,
                        List.of()));
    }

    @Test
    void truncatedGcodeFailsUnlessAccepted() throws IOException {
        String cut = GcodeFiles.PRUSA.substring(0, GcodeFiles.PRUSA.indexOf("; printer_model"));
        IngestedPart refused = ingest(cut, false);
        assertThat(refused.end(READ_METADATA).stage().status()).isEqualTo(failed);
        assertThat(refused.error(READ_METADATA)).isEqualTo("The file ends early: its prusaslicer_config is not closed");
        IngestedPart accepted = ingest(cut, true);
        assertThat(accepted.last().stage().status()).isEqualTo(done);
        assertThat(accepted.findings(READ_METADATA).warnings())
                .containsExactly("The file ends early: its prusaslicer_config is not closed");
    }

    @Test
    void gcodeWithoutItsFooterIsReadWithAWarning() throws IOException {
        IngestedPart ingest = ingest(GcodeFiles.PRUSA.substring(0, GcodeFiles.PRUSA.indexOf("; filament used")), false);
        assertThat(ingest.end(READ_METADATA).stage().status()).isEqualTo(done);
        assertThat(ingest.findings(READ_METADATA).warnings())
                .containsExactly(
                        "The G-code has none of the lines that PrusaSlicer ends a file with: it may end early");
        assertThat(ingest(GcodeFiles.PRUSA, false).findings(READ_METADATA).warnings())
                .isNull();
    }

    @Test
    void textSlotOfAProjectBecomesAParameter() throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        Path project = ThreemfFiles.production()
                .replace(
                        "Metadata/model_settings.config",
                        text -> text.replace(
                                "<part id=\"2\" subtype=\"modifier_part\">",
                                "<part id=\"2\" subtype=\"normal_part\"><metadata key=\"name\" value=\"Name tag\"/>"
                                        + "<text_info text=\"NAME\" font_name=\"Arial\"/>"))
                .write(folder);
        IngestRequest plain = IngestedPart.request(files, project, Part.Type.THREE_MF);
        PartParameter own = RecordBuilder.of(PartParameter.class)
                .with(PartParameter::name, "engraver")
                .with(PartParameter::type, PartParameter.Type.string)
                .build();
        IngestRequest request = RecordBuilder.copyOf(plain)
                .with(IngestRequest::parameters, List.of(own))
                .build();
        Findings found = IngestedPart.of(folder, files, request).findings(READ_METADATA);
        String key = Objects.requireNonNull(
                        Objects.requireNonNull(found.metadata()).textSlots())
                .getFirst()
                .key();
        assertThat(found.parameters()).extracting(PartParameter::name).containsExactly(key);
        assertThat(Objects.requireNonNull(found.parameters()).getLast())
                .extracting(PartParameter::type, PartParameter::label, PartParameter::effectiveValue)
                .containsExactly(PartParameter.Type.string, "Name tag", null);
        IngestRequest again = RecordBuilder.copyOf(plain)
                .with(IngestRequest::parameters, found.parameters())
                .build();
        assertThat(IngestedPart.of(folder, files, again).findings(READ_METADATA).parameters())
                .isNull();
    }

    @Test
    void estimateOfUnknownWeightHasATimeAndNoGrams() throws IOException {
        IngestedPart kiri = ingest(
                "; Generated by Kiri:Moto 3.9.0\nG1 X1 E1\n; filament used: 225.03 mm\n; --- print time: 806s ---\n",
                false);
        assertThat(estimated(kiri).estimatedPrintTimeSeconds()).isEqualTo(806);
        assertThat(estimated(kiri).totalWeightGrams()).isNull();
        assertThat(estimated(kiri).materials()).containsExactly(new Material(0, "", null, 0.225, null));
        assertThat(kiri.findings(READ_METADATA).warnings())
                .anyMatch(warning -> warning.startsWith("The G-code does not say what the print weighs"));
        SlicingEstimate cura = estimated(ingest(GcodeFiles.CURA, false));
        assertThat(cura.totalWeightGrams()).isEqualTo(1.1151);
    }

    @Test
    void slicedProjectWithATruncatedPlateFails() throws IOException {
        Path part = ThreemfFiles.sliced()
                .replace("Metadata/plate_2.gcode", text -> text.substring(0, text.length() / 2))
                .write(folder);
        assertThat(ingest(part, Part.Type.gcode3mf).error(READ_METADATA)).startsWith("The file ends early");
    }

    @Test
    void invalidMetadataIsLeftOutWithAWarning() throws IOException {
        IngestedPart ingest = ingest(
                GcodeFiles.PRUSA
                        .replace("#ff8000;#00AE42", "red;#GG0000;;#00AE42")
                        .replace("nozzle_diameter = 0.4,0.4", "nozzle_diameter = -0.4,0.4")
                        .replace("1d 2h 3m 4s", "-1h -2m"),
                false);
        var metadata = Objects.requireNonNull(ingest.findings(READ_METADATA).metadata());
        assertThat(metadata.filamentColors()).containsExactly("", "", "", "#00AE42");
        assertThat(metadata.nozzleDiameter()).isEmpty();
        assertThat(ingest.end(estimate).stage().status()).isEqualTo(skipped);
        assertThat(ingest.findings(READ_METADATA).warnings())
                .containsExactly(
                        "The colour 'red' is none, so it is left out",
                        "The colour '#GG0000' is none, so it is left out",
                        "The colour '' is none, so it is left out",
                        "The nozzle diameter '-0.4' cannot be, so it is left out",
                        "The print time '-1h -2m' cannot be, so it is left out");
        assertThat(ingest(GcodeFiles.PRUSA.replace("nozzle_diameter = 0.4", "nozzle_diameter = NaN"), false)
                        .findings(READ_METADATA)
                        .warnings())
                .containsExactly("The nozzle diameter 'NaN' cannot be, so it is left out");
    }

    private static Path kept(IngestedPart ingest, String uri) {
        return ((FolderFiles) ingest.files()).path(FileUri.parse(uri).orElseThrow());
    }

    @Test
    void slicedProjectHasAGcodeFileAndThumbnailsForEachPlate() throws IOException {
        IngestedPart ingest = ingest(ThreemfFiles.sliced().write(folder), Part.Type.gcode3mf);
        Map<String, String> pieces =
                Objects.requireNonNull(ingest.findings(SPLIT_PLATES).gcodePlateUris());
        assertThat(pieces).containsOnlyKeys("1", "2");
        assertThat(pieces.values())
                .allSatisfy(uri -> assertThat(kept(ingest, uri)).isNotEmptyFile());
        List<Plate> plates = Objects.requireNonNull(
                Objects.requireNonNull(ingest.findings(thumbnails).metadata()).plates());
        assertThat(plates.getFirst().thumbnailUploadedUri())
                .endsWith("/plate_1.png")
                .isEqualTo(ingest.findings(thumbnails).thumbnailUri());
        assertThat(plates.getFirst().topUploadedUri()).endsWith("/top_1.png");
        assertThat(plates.getFirst().pickUploadedUri()).endsWith("/pick_1.png");
        assertThat(plates.getLast().thumbnailUploadedUri()).endsWith("/plate_2.png");
        assertThat(plates.getLast().topUploadedUri()).isNull();
    }

    @Test
    void estimateOfASlicedProjectIsTheSumOfItsPlates() throws IOException {
        SlicingEstimate sum = estimated(ingest(ThreemfFiles.sliced().write(folder), Part.Type.gcode3mf));
        assertThat(sum.estimatedPrintTimeSeconds()).isEqualTo(1216 + 1094);
        assertThat(sum.totalWeightGrams()).isEqualTo(10.66);
        assertThat(sum.slicerVersion()).isEqualTo("slicer2 02.04.00.99");
        assertThat(sum.slicedAt()).isEqualTo("2026-05-04T12:00:00.000Z");
        assertThat(sum.materials())
                .containsExactly(
                        new Material(0, "PLA", 6.75, 2.23, "#00AE42"), new Material(1, "PETG", 3.91, 1.29, "#FF0000"));
        assertThat(Objects.requireNonNull(sum.plates()))
                .extracting(SlicingEstimate.Plate::plateId, SlicingEstimate.Plate::estimatedPrintTimeSeconds)
                .containsExactly(tuple(1, 1216L), tuple(2, 1094L));
    }

    private IngestedPart slicedInPart(UnaryOperator<String> change) throws IOException {
        return ingest(
                ThreemfFiles.production()
                        .with("Metadata/slice_info.config", """
                                <config><plate>
                                  <metadata key="index" value="1"/>
                                  <metadata key="prediction" value="1216"/>
                                  <metadata key="weight" value="6.75"/>
                                </plate></config>
                                """)
                        .replace("Metadata/model_settings.config", change)
                        .write(folder),
                Part.Type.THREE_MF);
    }

    @Test
    void partlySlicedProjectHasNoEstimate() throws IOException {
        IngestedPart ingest = slicedInPart(settings -> settings);
        assertThat(ingest.end(estimate).stage().status()).isEqualTo(skipped);
        assertThat(ingest.error(estimate)).isEqualTo("PrusaSlicer is not installed on the worker that slices parts");
    }

    @Test
    void emptyPlateNeedsNoEstimate() throws IOException {
        IngestedPart ingest = slicedInPart(
                settings -> settings.replace("key=\"instance_id\" value=\"0\"", "key=\"instance_id\" value=\"7\""));
        assertThat(estimated(ingest).estimatedPrintTimeSeconds()).isEqualTo(1216);
    }

    @Test
    void singlePlateFileIsUsedAsItsPieceAndAnUploadIsCopied() throws IOException {
        Path part = ThreemfFiles.slicedOnce().write(folder);
        IngestedPart ingested = ingest(part, Part.Type.gcode3mf);
        assertThat(ingested.findings(SPLIT_PLATES).gcodePlateUris())
                .containsValue(ingested.request().fileUris().getFirst());

        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest request = IngestedPart.request(files, part, Part.Type.gcode3mf);
        FileUri upload = FileUri.upload(IngestedPart.STORE, "mine.3mf");
        files.put(upload, part);
        IngestedPart staged = IngestedPart.of(
                folder,
                files,
                new IngestRequest(
                        request.storeId(),
                        request.partId(),
                        request.workflowKey(),
                        1,
                        request.type(),
                        List.of(upload.toString()),
                        request.fileHashes(),
                        List.of(),
                        null,
                        false,
                        List.of()));
        assertThat(staged.findings(SPLIT_PLATES).gcodePlateUris())
                .containsValue(FileUri.file(
                                IngestedPart.STORE,
                                request.partId(),
                                "runs/" + request.workflowKey() + "/plate_1.gcode.3mf")
                        .toString());
    }

    @Test
    void unslicedProjectHasNoEstimateWithoutASlicer() throws IOException {
        IngestedPart ingest = ingest(ThreemfFiles.production().write(folder), Part.Type.THREE_MF);
        assertThat(ingest.end(estimate).stage().status()).isEqualTo(skipped);
        assertThat(ingest.error(estimate)).isEqualTo("PrusaSlicer is not installed on the worker that slices parts");
        assertThat(ingest.findings(SPLIT_PLATES).gcodePlateUris()).containsOnlyKeys("1", "2");
    }

    @Test
    void rerunOfARequestYieldsTheSameReports() throws IOException {
        IngestedPart first = ingest(ThreemfFiles.sliced().write(folder), Part.Type.gcode3mf);
        IngestedPart second = IngestedPart.of(folder, first.files(), first.request());
        assertThat(second.reports()).isEqualTo(first.reports());
    }

    @Test
    void typeOfAPrintableFileFollowsItsContent() throws IOException {
        assertThat(ingest(ThreemfFiles.sliced().write(folder), Part.Type.gcode)
                        .findings(READ_METADATA)
                        .type())
                .isEqualTo(Part.Type.gcode3mf);
        assertThat(ingest(GcodeFiles.CURA, Part.Type.THREE_MF)
                        .findings(READ_METADATA)
                        .type())
                .isEqualTo(Part.Type.gcode);
        assertThat(ingest(ThreemfFiles.core("").write(folder), Part.Type.gcode3mf)
                        .findings(READ_METADATA)
                        .type())
                .isEqualTo(Part.Type.THREE_MF);
    }

    @ParameterizedTest
    @EnumSource(names = {"stl", "step", "scad", "cadquery", "build123d"})
    void zipArchiveIsRejectedAsAModel(Part.Type type) throws IOException {
        IngestedPart ingest = ingest(ThreemfFiles.core("").write(folder), type);
        assertThat(ingest.end(fetch).stage().status()).isEqualTo(failed);
        assertThat(ingest.error(fetch)).contains("not a " + type + " file").contains("ZIP");
        assertThat(ingest.last().stage().key()).isEqualTo(fetch);
    }

    @Test
    void plainTextIsRejectedAsAProject() throws IOException {
        assertThat(ingest("Dear farm,\n", Part.Type.THREE_MF).error(fetch)).contains("plain text");
        assertThat(ingest("", Part.Type.gcode).error(fetch)).contains("empty");
    }

    @Test
    void modelIsReadAndDrawn() throws IOException {
        IngestedPart ingest = ingest(Solids.text("cube", Solids.box(5, 0, 0, 1, 2, 3)), Part.Type.stl);
        assertThat(ingest.end(READ_METADATA).stage().status()).isEqualTo(done);
        assertThat(ingest.findings(thumbnails).size()).isEqualTo(new BedSize(1, 2, 3));
        String cover = Objects.requireNonNull(ingest.findings(thumbnails).thumbnailUri());
        assertThat(kept(ingest, cover)).isNotEmptyFile();
        assertThat(ingest.end(SPLIT_PLATES).stage().status()).isEqualTo(skipped);
        assertThat(ingest.error(SPLIT_PLATES)).isEmpty();
    }

    @Test
    void platesOfAProjectAreDrawnOncePerSource() throws IOException {
        Path part = ThreemfFiles.production().write(folder);
        IngestedPart first = ingest(part, Part.Type.THREE_MF);
        var metadata = Objects.requireNonNull(first.findings(thumbnails).metadata());
        assertThat(metadata.plateRenderSourceHash())
                .isEqualTo(first.request().fileHashes().getFirst());
        List<Plate> plates = Objects.requireNonNull(metadata.plates());
        assertThat(plates)
                .extracting(Plate::thumbnailRenderedUri)
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        String cover = Objects.requireNonNull(first.findings(thumbnails).thumbnailUri());
        assertThat(cover).isEqualTo(plates.getFirst().thumbnailRenderedUri());

        Files.writeString(kept(first, cover), "kept from before");
        assertThat(IngestedPart.of(folder, first.files(), first.request()).reports())
                .isEqualTo(first.reports());
        assertThat(kept(first, cover)).hasContent("kept from before");
    }

    @Test
    void projectWithBrokenThumbnailsIsDrawn() throws IOException {
        IngestedPart ingest = ingest(
                ThreemfFiles.production()
                        .with("Metadata/plate_1.png", "no picture")
                        .write(folder),
                Part.Type.THREE_MF);
        assertThat(ingest.end(thumbnails).stage().status()).isEqualTo(skipped);
        assertThat(ingest.error(thumbnails)).contains("Metadata/plate_1.png");
        assertThat(ingest.findings(thumbnails).thumbnailUri()).endsWith("/drawn_1.png");
    }

    @Test
    void gcodeWithoutAThumbnailIsDrawnFromItsMoves() throws IOException {
        Path part = Files.writeString(folder.resolve("square.gcode"), """
                M83
                ;LAYER:0
                G0 X10 Y10 Z0.2
                G1 X30 E1
                G1 Y30 E1
                """);
        IngestedPart ingest = ingest(part, Part.Type.gcode);
        assertThat(ingest.end(thumbnails).stage().status()).isEqualTo(done);
        String cover = Objects.requireNonNull(ingest.findings(thumbnails).thumbnailUri());
        assertThat(cover).endsWith("/printed_1.png");
        assertThat(Png.isSafe(Files.readAllBytes(kept(ingest, cover)))).isTrue();
        assertThat(ingest.findings(READ_METADATA).size()).isEqualTo(new BedSize(20, 20, 0.2));
    }

    @Test
    void gcodeWithoutExtrusionHasAThumbnailOfTheBed() throws IOException {
        IngestedPart ingest =
                ingest(Files.writeString(folder.resolve("home.gcode"), "G28\nG1 X10 Y10\n"), Part.Type.gcode);
        String cover = Objects.requireNonNull(ingest.findings(thumbnails).thumbnailUri());
        BufferedImage bed = ImageIO.read(kept(ingest, cover).toFile());
        assertThat(bed.getRGB(bed.getWidth() / 2, bed.getHeight() / 2) >>> 24).isEqualTo(255);
    }

    @Test
    void onlyThePlateWithoutAThumbnailIsDrawn() throws IOException {
        IngestedPart ingest =
                ingest(ThreemfFiles.sliced().without("Metadata/plate_2.png").write(folder), Part.Type.gcode3mf);
        List<Plate> plates = Objects.requireNonNull(
                Objects.requireNonNull(ingest.findings(thumbnails).metadata()).plates());
        assertThat(plates.getFirst().thumbnailRenderedUri()).isNull();
        assertThat(plates.getLast().thumbnailRenderedUri()).endsWith("/printed_2.png");
    }

    @Test
    void brokenArchiveFailsWhenItsMetadataIsRead() throws IOException {
        Path part = ThreemfFiles.sliced().write(folder);
        byte[] whole = Files.readAllBytes(part);
        Files.write(part, Arrays.copyOf(whole, whole.length / 2));
        IngestedPart ingest = ingest(part, Part.Type.gcode3mf);
        assertThat(ingest.end(fetch).stage().status()).isEqualTo(done);
        assertThat(ingest.end(READ_METADATA).stage().status()).isEqualTo(failed);
        assertThat(ingest.error(READ_METADATA)).contains("archive is broken");
        assertThat(ingest.last().stage().key()).isEqualTo(READ_METADATA);
    }

    @Test
    void brokenThumbnailsDoNotFailAPart() throws IOException {
        IngestedPart ingest = ingest(
                ThreemfFiles.sliced().with("Metadata/plate_2.png", "no picture").write(folder), Part.Type.gcode3mf);
        assertThat(ingest.end(thumbnails).stage().status()).isEqualTo(skipped);
        assertThat(ingest.error(thumbnails)).contains("Metadata/plate_2.png");
        assertThat(ingest.end(estimate).stage().status()).isEqualTo(done);
    }

    @Test
    void gcodeWithoutAPrintTimeSkipsTheEstimate() throws IOException {
        IngestedPart ingest = ingest(GcodeFiles.CURA_UNFILLED, Part.Type.gcode);
        assertThat(ingest.end(estimate).stage().status()).isEqualTo(skipped);
        assertThat(ingest.error(estimate)).contains("does not say how long");
    }

    @Test
    void changedMissingOrOversizedUploadIsRejected() throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest request = IngestedPart.request(files, GcodeFiles.write(folder, GcodeFiles.CURA), Part.Type.gcode);
        FileUri uri = FileUri.parse(request.fileUris().getFirst()).orElseThrow();
        Files.writeString(files.path(uri), GcodeFiles.CURA + "; changed\n");
        assertThat(IngestedPart.of(folder, files, request).error(fetch)).contains("SHA-256 differs");
        Files.delete(files.path(uri));
        assertThat(IngestedPart.of(folder, files, request).error(fetch)).contains("never uploaded");
        Files.write(files.path(uri), new byte[(64 << 20) + 1]);
        assertThat(IngestedPart.of(folder, files, request).error(fetch)).contains("larger than 64 MB");
    }

    @Test
    void fileOfAnotherStoreIsRejected() throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest own = IngestedPart.request(files, GcodeFiles.write(folder, GcodeFiles.CURA), Part.Type.gcode);
        var foreign = new IngestRequest(
                "t".repeat(24),
                own.partId(),
                own.workflowKey(),
                1,
                own.type(),
                own.fileUris(),
                own.fileHashes(),
                List.of(),
                null,
                false,
                List.of());
        assertThat(IngestedPart.of(folder, files, foreign).error(fetch))
                .contains("Not the address of a file of this store");
    }

    /** File storage that is unreachable for a number of requests. */
    private record UnreliableFiles(PartFileStorage files, AtomicInteger faults) implements PartFileStorage {
        @Override
        public void fetch(FileUri uri, Path to) throws IOException {
            shake();
            files.fetch(uri, to);
        }

        @Override
        public void put(FileUri uri, Path from) throws IOException {
            files.put(uri, from);
        }

        private void shake() throws IOException {
            if (faults.getAndDecrement() > 0) {
                throw new ConnectException("refused");
            }
        }
    }

    private IngestedPart ingestWithFaults(int faults) throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest request = IngestedPart.request(files, GcodeFiles.write(folder, GcodeFiles.CURA), Part.Type.gcode);
        return IngestedPart.of(folder, new UnreliableFiles(files, new AtomicInteger(faults)), request);
    }

    @Test
    void stageRetriesWhenFileStorageIsUnreachable() throws IOException {
        IngestedPart ingest = ingestWithFaults(2);
        assertThat(ingest.end(fetch).stage().status()).isEqualTo(done);
        assertThat(ingest.end(fetch).stage().attempts()).isEqualTo(3);
        assertThat(ingest.end(estimate).stage().attempts()).isEqualTo(1);
    }

    /** Then the request is redelivered, and the part does not fail. */
    @Test
    void runEndsWithoutAnOutcomeWhenFileStorageStaysUnreachable() throws IOException {
        FolderFiles files = new FolderFiles(folder.resolve("kept"));
        IngestRequest request = IngestedPart.request(files, GcodeFiles.write(folder, GcodeFiles.CURA), Part.Type.gcode);
        Worker worker = new Worker(
                new UnreliableFiles(files, new AtomicInteger(3)),
                folder.resolve("work"),
                IngestedPart.toolchain(IngestedPart.TOOLS));
        List<StageReport> reports = new ArrayList<>();
        assertThatThrownBy(() -> worker.ingest(request, reports::add)).isInstanceOf(UncheckedIOException.class);
        assertThat(reports.getLast().stage().status()).isEqualTo(running);
        assertThat(reports.getLast().stage().attempts()).isEqualTo(3);
        assertThat(reports.getLast().stage().error()).contains("could not be reached");
        assertThat(reports).extracting(report -> report.stage().status()).doesNotContain(failed);
    }

    @Test
    void newWorkerDeletesTheFolderOfAKilledRun() throws IOException {
        Path left = Files.createDirectories(folder.resolve("work/ingest-" + Id.next()));
        Files.writeString(left.resolve("part"), "half a file");
        assertThat(ingest(GcodeFiles.CURA, Part.Type.gcode).last().stage().status())
                .isEqualTo(done);
    }
}
