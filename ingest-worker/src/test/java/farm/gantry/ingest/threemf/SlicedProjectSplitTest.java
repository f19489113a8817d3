package farm.gantry.ingest.threemf;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata.Plate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlicedProjectSplitTest {
    private final ThreemfReader reader = new ThreemfReader(Part.Type.gcode3mf);

    @TempDir
    Path folder;

    private List<Plate> plates(Path file) throws IOException {
        return Objects.requireNonNull(
                Objects.requireNonNull(reader.read(file).metadata()).plates());
    }

    @Test
    void pieceHasTheMetadataOfItsPlate() throws IOException {
        Path whole = ThreemfFiles.sliced().write(folder);
        List<Plate> plates = plates(whole);
        var pieces = reader.split(whole, folder);
        assertThat(pieces).containsOnlyKeys(1, 2);
        for (Plate plate : plates) {
            Path piece = Objects.requireNonNull(pieces.get(plate.id()));
            assertThat(plates(piece)).containsExactly(plate);
            ReadResult reread = reader.read(piece);
            assertThat(reread.type()).isEqualTo(Part.Type.gcode3mf);
            assertThat(reread.gcode()).containsOnlyKeys(plate.id());
            assertThat(reread.materials()).isEqualTo(reader.read(whole).materials());
        }
    }

    @Test
    void pieceContainsNothingOfOtherPlates() throws IOException {
        Path piece = Objects.requireNonNull(
                reader.split(ThreemfFiles.sliced().write(folder), folder).get(2));
        try (ThreemfArchive archive = ThreemfArchive.open(piece)) {
            assertThat(archive.names())
                    .contains("Metadata/plate_2.gcode", "Metadata/plate_2.gcode.md5", "Metadata/plate_2.png")
                    .noneMatch(name -> name.contains("_1."));
            assertThat(text(archive, "Metadata/_rels/model_settings.config.rels"))
                    .contains("plate_2.gcode")
                    .doesNotContain("plate_1");
            assertThat(text(archive, "_rels/.rels"))
                    .contains("/Metadata/plate_2.png")
                    .contains("/3D/3dmodel.model");
            assertThat(text(archive, "Metadata/plate_2.gcode.md5")).isEqualTo("F".repeat(32));
        }
    }

    private static String text(ThreemfArchive archive, String name) throws IOException {
        return new String(archive.read(name, 1 << 20), StandardCharsets.UTF_8);
    }

    @Test
    void splittingIsReproducible() throws IOException {
        Path whole = ThreemfFiles.sliced().write(folder);
        Path again = Files.createDirectory(folder.resolve("again"));
        var first = reader.split(whole, folder);
        var second = reader.split(whole, again);
        assertThat(Objects.requireNonNull(first.get(2))).hasSameBinaryContentAs(Objects.requireNonNull(second.get(2)));
    }

    @Test
    void singlePlateFileIsItsOwnPiece() throws IOException {
        Path whole = ThreemfFiles.slicedOnce().write(folder);
        assertThat(reader.split(whole, folder)).containsOnlyKeys(1).containsValue(whole);
    }

    /** Archives of Go and of reproducible builds have no dates. */
    @Test
    void archiveWithoutDatesIsSplit() throws IOException {
        Path sliced = ThreemfFiles.undated(ThreemfFiles.sliced().write(folder));
        assertThat(reader.split(sliced, folder)).containsOnlyKeys(1, 2);
        Path project = ThreemfFiles.undated(ThreemfFiles.production().write(folder));
        assertThat(new ThreemfReader(Part.Type.THREE_MF).split(project, folder)).containsOnlyKeys(1, 2);
    }
}
