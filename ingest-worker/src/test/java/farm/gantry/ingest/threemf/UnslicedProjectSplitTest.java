package farm.gantry.ingest.threemf;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.sample.StrictPackageReader;
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
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnslicedProjectSplitTest {
    @TempDir
    Path folder;

    private final ThreemfReader reader = new ThreemfReader(Part.Type.THREE_MF);

    /** Returns a project with two towers, and a lid that is only on plate 2. */
    private static ThreemfFiles project() {
        return ThreemfFiles.production()
                .replace(
                        "3D/3dmodel.model",
                        text -> text.replace(
                                        "</resources>",
                                        "<object id=\"9\" type=\"model\"><components><component p:path=\"/3D/Objects/lid.model\""
                                                + " objectid=\"1\"/></components></object></resources>")
                                .replace(
                                        "<build>",
                                        "<build><item objectid=\"9\" transform=\"1 0 0 0 1 0 0 0 1 300 60 0\"/>"))
                .replace(
                        "Metadata/model_settings.config",
                        text -> text.replaceFirst(
                                        "<plate>\\s*<metadata key=\"plater_id\" value=\"2\"/>",
                                        "<plate><metadata key=\"plater_id\" value=\"2\"/><model_instance>"
                                                + "<metadata key=\"object_id\" value=\"9\"/>"
                                                + "<metadata key=\"instance_id\" value=\"0\"/></model_instance>")
                                .replaceFirst(
                                        "<config>",
                                        "<config><object id=\"9\"><metadata key=\"name\" value=\"Lid\"/></object>"))
                .copy("3D/Objects/object_1.model", "3D/Objects/lid.model")
                .with("Metadata/plate_1.png", ThreemfFiles.PNG)
                .with("Metadata/plate_2.png", ThreemfFiles.PNG)
                .with("Metadata/layer_heights_profile.txt", "object_id=1|0;0.2\nobject_id=2|0;0.3");
    }

    @Test
    void pieceContainsOnlyItsPlate() throws IOException {
        SortedMap<Integer, Path> pieces = reader.split(project().write(folder), folder);
        assertThat(pieces).containsOnlyKeys(1, 2);
        try (ThreemfArchive one = ThreemfArchive.open(Objects.requireNonNull(pieces.get(1)));
                ThreemfArchive two = ThreemfArchive.open(Objects.requireNonNull(pieces.get(2)))) {
            assertThat(one.names())
                    .contains("3D/Objects/object_1.model", "Metadata/plate_1.png")
                    .doesNotContain("3D/Objects/lid.model", "Metadata/plate_2.png");
            assertThat(two.names()).contains("3D/Objects/object_1.model", "3D/Objects/lid.model");
            assertThat(text(one, "3D/3dmodel.model")).contains("objectid=\"3\"").doesNotContain("objectid=\"9\"");
            assertThat(text(one, "Metadata/model_settings.config"))
                    .contains("Tower")
                    .doesNotContain("Lid");
            assertThat(text(one, "Metadata/layer_heights_profile.txt")).isEqualTo("object_id=1|0;0.3");
            assertThat(text(two, "Metadata/layer_heights_profile.txt"))
                    .isEqualTo("object_id=1|0;0.2\nobject_id=2|0;0.3");
        }
    }

    /**
     * Returns the project as Bambu Studio writes it: required extension, thumbnails of plate 1, relationships of the
     * root model.
     */
    private static ThreemfFiles wholeProject() {
        return project()
                .replace(
                        "3D/3dmodel.model",
                        text -> text.replace(
                                        "<model ",
                                        "<model xml:lang=\"en-US\" requiredextensions=\"p\" xmlns:BambuStudio="
                                                + "\"http://schemas.bambulab.com/package/2021\" ")
                                .replace(
                                        "<resources>",
                                        "<metadata name=\"BambuStudio:3mfVersion\">1</metadata><resources>")
                                .replace("<build>", "<build p:UUID=\"2c7c17d8-22b5-4d84-8835-1976022ea369\">"))
                .replace(
                        "_rels/.rels",
                        text -> text.replace(
                                "</Relationships>",
                                "<Relationship Target=\"/Metadata/plate_1_small.png\" Id=\"rel-3\""
                                        + " Type=\"http://schemas.bambulab.com/package/2021/cover-thumbnail-small\"/>"
                                        + "</Relationships>"))
                .with("Metadata/plate_1_small.png", ThreemfFiles.PNG)
                .with(
                        "3D/_rels/3dmodel.model.rels",
                        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
                                + relationship(1, "/3D/Objects/object_1.model")
                                + relationship(2, "/3D/Objects/lid.model") + "</Relationships>");
    }

    private static String relationship(int id, String target) {
        return "<Relationship Target=\"" + target + "\" Id=\"rel-" + id
                + "\" Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/>";
    }

    @Test
    void piecesAreValidForAStrictReader() throws IOException {
        Path whole = wholeProject().write(folder);
        assertThat(StrictPackageReader.faults(whole)).isEmpty();
        for (Path piece : reader.split(whole, folder).values()) {
            assertThat(StrictPackageReader.faults(piece)).isEmpty();
            try (ThreemfArchive archive = ThreemfArchive.open(piece)) {
                assertThat(text(archive, "3D/3dmodel.model"))
                        .contains(" p:path=", " p:UUID=", " xml:lang=", " xmlns:p=", "requiredextensions=\"p\"");
            }
        }
    }

    @Test
    void pieceHasTheThumbnailOfItsPlate() throws IOException {
        Path piece = Objects.requireNonNull(
                reader.split(wholeProject().write(folder), folder).get(2));
        try (ThreemfArchive two = ThreemfArchive.open(piece)) {
            assertThat(text(two, "_rels/.rels"))
                    .contains("/Metadata/plate_2.png", "/3D/3dmodel.model")
                    .doesNotContain("plate_1");
        }
    }

    @Test
    void modelWithAPrefixForTheCoreNamespaceIsSplit() throws IOException {
        Path whole = wholeProject()
                .replace(
                        "3D/3dmodel.model",
                        text -> text.replaceAll(
                                        "<(/?)(model|resources|object|components|component|build|item|metadata)\\b",
                                        "<$1c:$2")
                                .replace("xmlns=", "xmlns:c="))
                .write(folder);
        SortedMap<Integer, Path> pieces = reader.split(whole, folder);
        assertThat(pieces).containsOnlyKeys(1, 2);
        for (Path piece : pieces.values()) {
            assertThat(StrictPackageReader.faults(piece)).isEmpty();
        }
        assertThat(Objects.requireNonNull(reader.plates(Objects.requireNonNull(pieces.get(1)))
                                .get(1))
                        .items())
                .hasSize(1);
    }

    @Test
    void pieceKeepsThePausesAndFilamentOrderOfItsPlate() throws IOException {
        SortedMap<Integer, Path> pieces = reader.split(
                project()
                        .with("Metadata/custom_gcode_per_layer.xml", """
                                <custom_gcodes_per_layer>
                                <plate><plate_info id="1"/><layer top_z="3" type="1" extra="Insert&#10;nut"/></plate>
                                <plate><plate_info id="2"/><layer top_z="7" type="4" extra="M117 two"/></plate>
                                </custom_gcodes_per_layer>""")
                        .with(
                                "Metadata/filament_sequence.json",
                                "{\"plate_1\":{\"sequence\":[1]},\"plate_2\":{\"sequence\":[2,1]}}")
                        .write(folder),
                folder);
        try (ThreemfArchive one = ThreemfArchive.open(Objects.requireNonNull(pieces.get(1)));
                ThreemfArchive two = ThreemfArchive.open(Objects.requireNonNull(pieces.get(2)))) {
            assertThat(text(one, "Metadata/custom_gcode_per_layer.xml"))
                    .contains("plate_info id=\"1\"", "extra=\"Insert&#10;nut\"")
                    .doesNotContain("M117 two");
            assertThat(text(two, "Metadata/custom_gcode_per_layer.xml"))
                    .contains("plate_info id=\"1\"", "M117 two")
                    .doesNotContain("Insert", "id=\"2\"");
            assertThat(text(one, "Metadata/filament_sequence.json")).isEqualTo("{\"plate_1\":{\"sequence\":[1]}}");
            assertThat(text(two, "Metadata/filament_sequence.json")).isEqualTo("{\"plate_1\":{\"sequence\":[2,1]}}");
        }
    }

    @Test
    void pieceRenumbersItsInstances() throws IOException {
        SortedMap<Integer, Path> pieces = reader.split(
                project()
                        .replace(
                                "Metadata/model_settings.config",
                                text -> text.replace(
                                                "<metadata key=\"instance_id\" value=\"1\"/>",
                                                "<metadata key=\"instance_id\" value=\"1\"/>"
                                                        + "<metadata key=\"identify_id\" value=\"140\"/>")
                                        .replace(
                                                "</config>",
                                                "<assemble>"
                                                        + "<assemble_item object_id=\"3\" instance_id=\"1\" offset=\"1\"/>"
                                                        + "<assemble_item object_id=\"3\" instance_id=\"0\" offset=\"0\"/>"
                                                        + "</assemble></config>"))
                        .write(folder),
                folder);
        try (ThreemfArchive one = ThreemfArchive.open(Objects.requireNonNull(pieces.get(1)))) {
            assertThat(text(one, "Metadata/model_settings.config"))
                    .containsOnlyOnce("<metadata key=\"instance_id\" value=\"0\"/>")
                    .containsOnlyOnce("<metadata key=\"identify_id\" value=\"140\"/>")
                    .containsOnlyOnce("<assemble_item object_id=\"3\" instance_id=\"0\" offset=\"1\"/>")
                    .doesNotContain("instance_id\" value=\"1\"", "offset=\"0\"");
        }
    }

    /** A plate names its instances by number, which must exist in the piece. */
    @Test
    void pieceKeepsBothInstancesOfOneObject() throws IOException {
        Path whole = project()
                .replace(
                        "3D/3dmodel.model",
                        text -> text.replace(
                                "</build>", "<item objectid=\"3\" transform=\"1 0 0 0 1 0 0 0 1 150 150 0\"/></build>"))
                .replace(
                        "Metadata/model_settings.config",
                        text -> text.replaceFirst(
                                "<plate>\\s*<metadata key=\"plater_id\" value=\"1\"/>",
                                "<plate><metadata key=\"plater_id\" value=\"1\"/><model_instance>"
                                        + "<metadata key=\"object_id\" value=\"3\"/>"
                                        + "<metadata key=\"instance_id\" value=\"2\"/></model_instance>"))
                .write(folder);
        assertSamePlates(whole);
        Path one = Objects.requireNonNull(reader.split(whole, folder).get(1));
        assertThat(Objects.requireNonNull(reader.plates(one).get(1)).items()).hasSize(2);
    }

    private static String text(ThreemfArchive archive, String name) throws IOException {
        return new String(archive.read(name, 1 << 20), StandardCharsets.UTF_8);
    }

    @Test
    void pieceKeepsThePositionOfItsPlate() throws IOException {
        assertSamePlates(project().write(folder));
    }

    @ParameterizedTest
    @ValueSource(strings = {"project3mf/bambu-2-plates.3mf", "synth/bambu_5_plates.3mf"})
    @EnabledIfSystemProperty(named = "corpus", matches = ".+", disabledReason = "the corpus is not given (-Dcorpus=…)")
    void realProjectIsSplitWithUnchangedPlates(String name) throws IOException {
        assertSamePlates(
                Path.of(System.getProperty("corpus", "")).resolve("files").resolve(name));
    }

    private void assertSamePlates(Path whole) throws IOException {
        SortedMap<Integer, Scene> scenes = reader.plates(whole);
        List<Plate> plates = plates(whole).stream()
                .filter(plate -> !plate.hasNothingToPrint())
                .toList();
        SortedMap<Integer, Path> pieces = reader.split(whole, Files.createDirectories(folder.resolve("pieces")));
        assertThat(pieces).hasSameSizeAs(plates);
        for (Plate plate : plates) {
            Path piece = Objects.requireNonNull(pieces.get(plate.id()));
            List<Plate> reread = plates(piece);
            assertThat(reread).hasSize(1);
            assertThat(reread.getFirst())
                    .usingRecursiveComparison()
                    .ignoringFields("id", "sliced.index")
                    .isEqualTo(plate);
            Scene scene = Objects.requireNonNull(reader.plates(piece).get(1));
            Scene before = Objects.requireNonNull(scenes.get(plate.id()));
            assertThat(Solids.triangles(scene)).isEqualTo(Solids.triangles(before));
            assertThat(scene.bounds().minX()).isEqualTo(before.bounds().minX());
            assertThat(scene.bounds().maxY()).isEqualTo(before.bounds().maxY());
        }
    }

    private List<Plate> plates(Path file) throws IOException {
        return Objects.requireNonNull(
                Objects.requireNonNull(reader.read(file).metadata()).plates());
    }

    @Test
    void plateWithoutPrintableObjectsHasNoPiece() throws IOException {
        Path whole = project()
                .replace(
                        "Metadata/model_settings.config",
                        text -> text.replaceFirst(
                                "(?s)(plater_id\" value=\"1\"/>)\\s*<model_instance>.*?</model_instance>", "$1"))
                .write(folder);
        assertThat(reader.split(whole, folder)).containsOnlyKeys(2);
    }

    @Test
    void projectWithoutPlatesIsNotSplit() throws IOException {
        Path whole = project()
                .replace("Metadata/model_settings.config", text -> text.replaceFirst("(?s)<plate>.*?</plate>", ""))
                .write(folder);
        assertThat(reader.split(whole, folder)).isEmpty();
    }
}
