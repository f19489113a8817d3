package farm.gantry.ingest.threemf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.GcodeMetadata.FirstLayer;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.part.Part;
import farm.gantry.part.Part.PartMaterial;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Engine;
import farm.gantry.part.PartMetadata.Occurrence;
import farm.gantry.part.PartMetadata.Plate;
import farm.gantry.part.PartMetadata.ProfileCompat;
import farm.gantry.part.PartMetadata.SlicerVersion;
import farm.gantry.part.PartMetadata.TextSlot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreemfReaderTest {
    private static final String BAMBU = "BambuStudio-02.04.00.70";

    @TempDir
    Path folder;

    private ReadResult read(ThreemfFiles file) throws IOException {
        return new ThreemfReader(Part.Type.THREE_MF).read(file.write(folder));
    }

    private PartMetadata metadata(ThreemfFiles file) throws IOException {
        return Objects.requireNonNull(read(file).metadata());
    }

    private Plate plate(PartMetadata metadata, int id) {
        return Objects.requireNonNull(metadata.plates()).stream()
                .filter(plate -> plate.id() == id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void textsInVeryManyPlacesAreRefused() throws IOException {
        String texts = Stream.of("A", "B", "C")
                .map(text -> "<part id=\"" + text + "\"><text_info text=\"" + text + "\"/></part>")
                .collect(Collectors.joining());
        String instances = IntStream.range(0, 40_000)
                .mapToObj(i ->
                        "<model_instance><metadata key=\"object_id\" value=\"1\"/><metadata key=\"instance_id\" value=\""
                                + i + "\"/></model_instance>")
                .collect(Collectors.joining());
        ThreemfFiles file = ThreemfFiles.production()
                .replace(
                        "Metadata/model_settings.config",
                        _ -> "<config><object id=\"1\">" + texts + "</object><plate>" + instances
                                + "<metadata key=\"plater_id\" value=\"1\"/></plate></config>");
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(BadFileException.class)
                .hasMessageContaining("100000 places");
    }

    @Test
    void aProjectSaysItsFilamentsAndItsMachine() throws IOException {
        ReadResult reading = read(ThreemfFiles.project(BAMBU, "02.04.00.70"));
        PartMetadata metadata = Objects.requireNonNull(reading.metadata());
        assertThat(reading.type()).isEqualTo(Part.Type.THREE_MF);
        assertThat(metadata.filamentColors()).containsExactly("#00ae42", "#FF0000");
        assertThat(metadata.filamentDensities()).containsExactly(1.26, 1.27);
        assertThat(metadata.nozzleDiameter()).isEqualTo("0.4");
        assertThat(metadata.printerModel()).isEqualTo("Bambu Lab X1 Carbon");
        assertThat(metadata.profileCompat())
                .isEqualTo(new ProfileCompat(
                        List.of("Bambu Lab X1 Carbon 0.4 nozzle"),
                        List.of("Bambu Lab P1S 0.4 nozzle"),
                        "Bambu Lab X1 Carbon 0.4 nozzle"));
        assertThat(reading.materials())
                .containsExactly(
                        new PartMaterial(0, "#00AE42", "GFA00", null, null, "PLA"),
                        new PartMaterial(1, "#FF0000", "GFG99", null, null, "PETG"));
    }

    @Test
    void halfOfASurrogatePairInASettingIsReplaced() throws IOException {
        ThreemfFiles file = ThreemfFiles.project(BAMBU, "02.04.00.70")
                .with(
                        "Metadata/project_settings.config",
                        "{\"filament_type\":[\"P\\ud800\"],\"printer_model\":\"\\ud83d\\ude00\\udc00\"}");
        PartMetadata metadata = metadata(file);
        assertThat(metadata.filamentType()).containsExactly("P?");
        assertThat(metadata.printerModel()).isEqualTo("\uD83D\uDE00?");
    }

    @ParameterizedTest
    @CsvSource({
        "BambuStudio-02.04.00.70, 02.04.00.70, slicer2, 02.04.00.70",
        "BambuStudio-2.3.1-beta, '', slicer1, 2.3.1-beta",
        "BambuStudio-2.3.1, 02.03.01.00, slicer2, 2.3.1",
        "PrusaSlicer-2.9.4, '', slicer3, 2.9.4",
        "SuperSlicer-2.5.59, '', slicer4, 2.5.59",
        "BambuStudio-02.06.00.51</metadata><metadata name=\"OrcaSlicer\">2.4.0-dev, 02.06.00.51, slicer1, 2.4.0-dev"
    })
    void theSlicerIsKnownByWhatItCannotHide(String application, String client, Engine engine, String version)
            throws IOException {
        assertThat(metadata(ThreemfFiles.project(application, client)).slicerVersion())
                .isEqualTo(new SlicerVersion(engine, version));
    }

    @Test
    void platesGoByTheirNumbersAndNotByTheirPlaces() throws IOException {
        PartMetadata metadata = metadata(ThreemfFiles.project(BAMBU, "02.04.00.70"));
        assertThat(metadata.plates()).extracting(Plate::id).containsExactly(1, 2);
        assertThat(plate(metadata, 2).name()).isEqualTo("Lids & bases");
        assertThat(plate(metadata, 2).locked()).isTrue();
        assertThat(plate(metadata, 2).filamentMaps()).containsExactly(1, 2);
        assertThat(plate(metadata, 1).sliced()).isNull();
    }

    @Test
    void aPlateThatHoldsNothingToPrintIsMarkedEmpty() throws IOException {
        PartMetadata metadata = metadata(ThreemfFiles.production()
                .replace("3D/3dmodel.model", text -> text.replaceFirst("printable=\"1\"", "printable=\"0\""))
                .replace(
                        "Metadata/model_settings.config",
                        text -> text.replace(
                                "</config>", "<plate><metadata key=\"plater_id\" value=\"3\"/></plate></config>")));
        assertThat(plate(metadata, 1).empty()).isNull();
        assertThat(plate(metadata, 2).empty()).isTrue();
        assertThat(plate(metadata, 3).empty()).isTrue();
    }

    @Test
    void anUnslicedPlatePrintsWithTheFilamentsOfItsObjects() throws IOException {
        PartMetadata metadata = metadata(ThreemfFiles.project(BAMBU, "02.04.00.70"));
        assertThat(plate(metadata, 1).filamentIds()).containsExactly("GFA00", "GFG99");
        assertThat(plate(metadata, 2).filamentIds()).containsExactly("GFG99");
    }

    @Test
    void aPlatesOwnFileCountsItsFilamentsFromZero() throws IOException {
        ThreemfFiles file = ThreemfFiles.project(BAMBU, "02.04.00.70")
                .with("Metadata/plate_1.json", "{\"bbox_all\": [1], \"filament_ids\": [1, 1]}");
        assertThat(plate(metadata(file), 1).filamentIds()).containsExactly("GFG99");
    }

    @Test
    void aFileNameThatLeadsOutOfTheArchiveIsNoFileName() throws IOException {
        Plate plate = plate(metadata(ThreemfFiles.project(BAMBU, "02.04.00.70")), 1);
        assertThat(plate.thumbnailFile()).isEqualTo("Metadata/plate_1.png");
        assertThat(plate.topFile()).isNull();
    }

    @Test
    void equalTextsAreOneSlotThatOccursWhereItsObjectsStand() throws IOException {
        List<TextSlot> slots = Objects.requireNonNull(
                metadata(ThreemfFiles.project(BAMBU, "02.04.00.70")).textSlots());
        assertThat(slots).hasSize(2);
        TextSlot name = slots.getFirst();
        assertThat(name.label()).isEqualTo("Text: NAME");
        assertThat(name.volumeCount()).isEqualTo(2);
        assertThat(name.surfaceType()).isEqualTo(1);
        assertThat(name.occurrences()).containsExactly(new Occurrence(1, "2", 0, "75"));
        TextSlot other = slots.getLast();
        assertThat(other.label()).isEqualTo("A & B");
        assertThat(other.fontName()).isEqualTo("Serif");
        assertThat(other.key()).isNotEqualTo(name.key()).matches("[0-9a-f]{16}");
    }

    @Test
    void slicesAreJoinedByNumber() throws IOException {
        ReadResult reading = read(ThreemfFiles.sliced());
        assertThat(reading.type()).isEqualTo(Part.Type.gcode3mf);
        PartMetadata metadata = Objects.requireNonNull(reading.metadata());
        var one = Objects.requireNonNull(plate(metadata, 1).sliced());
        var two = Objects.requireNonNull(plate(metadata, 2).sliced());
        assertThat(one.prediction()).isEqualTo(1216);
        assertThat(one.outside()).isFalse();
        assertThat(one.layerFilamentLists()).containsExactly(Map.of("filament_list", "0", "layer_ranges", "0 127"));
        assertThat(two.weight()).isEqualTo(3.91);
        assertThat(two.warnings()).containsExactly(Map.of("msg", "hot", "level", "3", "error_code", "1000C001"));
        assertThat(plate(metadata, 2).filamentIds()).containsExactly("GFG99");
    }

    @Test
    void theGcodeInsideKnowsItsSlicerBestAndTheProjectTheRest() throws IOException {
        ReadResult reading = read(ThreemfFiles.sliced());
        assertThat(Objects.requireNonNull(reading.metadata()).slicerVersion())
                .isEqualTo(new SlicerVersion(Engine.slicer2, "02.04.00.99"));
        var facts = Objects.requireNonNull(reading.gcode().get(2));
        assertThat(facts.layers().count()).isEqualTo(64);
        assertThat(facts.layers().height()).isEqualTo(0.2);
        assertThat(facts.firstLayer()).isEqualTo(new FirstLayer(35.0, null));
        assertThat(facts.machine().model()).isEqualTo("Bambu Lab X1 Carbon");
    }

    @Test
    void aCoreModelSaysNothingButThatItIsOne() throws IOException {
        ReadResult reading = read(ThreemfFiles.core("<metadata name=\"Title\">Box</metadata>"));
        PartMetadata metadata = Objects.requireNonNull(reading.metadata());
        assertThat(metadata.printerModel()).isEmpty();
        assertThat(metadata.nozzleDiameter()).isEmpty();
        assertThat(metadata.filamentColors()).isEmpty();
        assertThat(metadata.profileCompat()).isEqualTo(new ProfileCompat(List.of(), List.of(), ""));
        assertThat(metadata.slicerVersion()).isNull();
        assertThat(metadata.plates()).isNull();
        assertThat(reading.materials()).isEmpty();
    }

    @Test
    void onlyAProjectThatHoldsBothIsWhatItClaimsToBe() throws IOException {
        Path both = ThreemfFiles.sliced().with("3D/Objects/object_1.model", "").write(folder);
        assertThat(new ThreemfReader(Part.Type.THREE_MF).read(both).type()).isEqualTo(Part.Type.THREE_MF);
        assertThat(new ThreemfReader(Part.Type.gcode3mf).read(both).type()).isEqualTo(Part.Type.gcode3mf);
    }

    @ParameterizedTest
    @CsvSource({
        "3D/3dmodel.model, <!DOCTYPE model [<!ENTITY a 'b'>]><model/>, document type",
        "3D/3dmodel.model, <model><metadata, not well-formed",
        "Metadata/project_settings.config, '[', not a JSON object",
        "Metadata/project_settings.config, '{\"a\":', not valid JSON",
        "Metadata/model_settings.config, <config>, not well-formed"
    })
    void brokenContentIsRefusedByName(String entry, String content, String words) {
        assertThatThrownBy(() -> read(ThreemfFiles.project(BAMBU, "").with(entry, content)))
                .isInstanceOf(BadFileException.class)
                .hasMessageContaining(entry)
                .hasMessageContaining(words);
    }

    @Test
    void nestingThatNoSlicerWritesIsRefused() {
        String deep = "<a>".repeat(10_000);
        assertThatThrownBy(() -> read(ThreemfFiles.project(BAMBU, "").with("Metadata/slice_info.config", deep)))
                .isInstanceOf(BadFileException.class)
                .hasMessageContaining("too deep");
        String deepJson = "{\"a\":" + "[".repeat(100_000);
        assertThatThrownBy(
                        () -> read(ThreemfFiles.project(BAMBU, "").with("Metadata/project_settings.config", deepJson)))
                .isInstanceOf(BadFileException.class);
    }

    @Test
    void metadataOfAnUnknownNameIsPassedOver() throws IOException {
        assertThat(read(ThreemfFiles.core("<metadata name=\"Mood\">calm</metadata>"))
                        .warnings())
                .singleElement()
                .asString()
                .endsWith("passed over: Mood");
    }

    @Test
    void anObjectOfBeamsHasNoTriangles() throws IOException {
        String beams = "<b:beamlattice xmlns:b=\"http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02\""
                + " radius=\"1\" minlength=\"0.1\"><b:beams><b:beam v1=\"0\" v2=\"1\"/></b:beams></b:beamlattice>";
        assertThat(read(lattice(beams)).warnings()).singleElement().asString().contains("nothing but beams");
    }

    private static ThreemfFiles lattice(String beams) {
        return ThreemfFiles.model("""
                <resources><object id="1"><mesh>
                <vertices><vertex x="0" y="0" z="0"/><vertex x="9" y="0" z="0"/></vertices><triangles/>%s
                </mesh></object></resources><build><item objectid="1"/></build>
                """.formatted(beams)).with("Metadata/plate_1.png", ThreemfFiles.PNG);
    }
}
