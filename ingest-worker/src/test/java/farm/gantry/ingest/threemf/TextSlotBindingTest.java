package farm.gantry.ingest.threemf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.RecordBuilder;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.sample.StrictPackageReader;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata.TextSlot;
import farm.gantry.part.PartParameter;
import farm.gantry.part.PartParameter.Sizing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextSlotBindingTest {
    @TempDir
    Path folder;

    private final ThreemfReader reader = new ThreemfReader(Part.Type.THREE_MF);
    private final List<String> warnings = new ArrayList<>();

    /** Returns a project whose tower has a text as its second volume. */
    private Path tag() throws IOException {
        return ThreemfFiles.production()
                .replace(
                        "Metadata/model_settings.config",
                        text -> text.replace(
                                "<part id=\"2\" subtype=\"modifier_part\">",
                                "<part id=\"2\" subtype=\"normal_part\"><metadata key=\"name\" value=\"Name\"/>"
                                        + "<text_info text=\"NAME\" font_name=\"Unheard Of\" font_version=\"2.0\"/>"))
                .write(folder);
    }

    private TextSlot slot(Path file) throws IOException {
        return Objects.requireNonNull(
                        Objects.requireNonNull(reader.read(file).metadata()).textSlots())
                .getFirst();
    }

    private static PartParameter word(String key, String word, @Nullable Sizing sizing) {
        return new PartParameter(
                key,
                PartParameter.Type.string,
                word,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                sizing,
                null);
    }

    private Path bound(Path file, PartParameter... parameters) throws IOException {
        return TextSlotBinding.bind(
                file, List.of(parameters), Files.createTempDirectory(folder, "bound"), warnings::add);
    }

    private Volume text(Path file) throws IOException {
        Scene scene = Objects.requireNonNull(reader.plates(file).get(1));
        return scene.items().getFirst().volumes().getLast();
    }

    private Bounds letters(Path file) throws IOException {
        return text(file).bounds();
    }

    @Test
    void newTextReplacesTheOldTextAtItsPosition() throws IOException {
        Path file = tag();
        TextSlot before = slot(file);
        Path bound = bound(file, word(before.key(), "Ilse & <Bo>", Sizing.stretch));
        TextSlot after = slot(bound);
        assertThat(after.text()).isEqualTo("Ilse & <Bo>");
        assertThat(after.key()).isEqualTo(before.key());
        assertThat(after.occurrences()).isEqualTo(before.occurrences());
        assertThat(text(bound).mesh().triangles())
                .isGreaterThan(10 * text(file).mesh().triangles());
        assertThat(letters(bound).width()).isCloseTo(letters(file).width(), within(1e-3));
        assertThat(letters(bound).height()).isCloseTo(letters(file).height(), within(1e-3));
        assertThat(warnings).containsOnly("The font Unheard Of is not installed, so another font is used");
    }

    @Test
    void restOfTheProjectIsUnchanged() throws IOException {
        Path file = tag();
        Path bound = bound(file, word(slot(file).key(), "Ilse", null));
        Volume tower = Objects.requireNonNull(reader.plates(bound).get(2))
                .items()
                .getFirst()
                .volumes()
                .getFirst();
        Volume before = Objects.requireNonNull(reader.plates(file).get(2))
                .items()
                .getFirst()
                .volumes()
                .getFirst();
        assertThat(tower.bounds()).isEqualTo(before.bounds());
        assertThat(Objects.requireNonNull(reader.read(bound).metadata()).plates())
                .isEqualTo(Objects.requireNonNull(reader.read(file).metadata()).plates());
    }

    @Test
    void projectWithoutAMatchingTextSlotIsUnchanged() throws IOException {
        Path file = tag();
        assertThat(bound(file, word("width", "3", null))).isEqualTo(file);
        assertThat(bound(file, word(slot(file).key(), "NAME", null))).isEqualTo(file);
    }

    @Test
    void textForAMissingSlotIsRejected() throws IOException {
        Path file = tag();
        PartParameter gone = word("0123456789abcdef", "Ilse", null);
        PartParameter stale = RecordBuilder.copyOf(gone)
                .with(PartParameter::value, null)
                .with(PartParameter::defaultValue, "NAME")
                .build();
        assertThat(bound(file, stale)).isEqualTo(file);
        assertThatThrownBy(() -> bound(file, gone))
                .isInstanceOf(BadFileException.class)
                .hasMessage("The text 'Ilse' belongs to a text slot that the file no longer has");
    }

    /** Returns a plate with two texts in one mesh, as PrusaSlicer writes it; the first text is upright on the edge. */
    private static ThreemfFiles prusaTag() throws IOException {
        var mesh = new Mesh.Builder(36);
        mesh.add(Solids.box(0, 0, 0, 40, 20, 2), Transform.NONE);
        mesh.add(Solids.box(5, -1, 0, 20, 1, 5), Transform.NONE);
        mesh.add(Solids.box(5, 5, 2, 20, 5, 1), Transform.NONE);
        return ThreemfFiles.model("<resources>"
                        + Solids.object("1", mesh.build())
                                .replaceFirst("<triangle v1", "<triangle paint_supports=\"4\" v1")
                        + "</resources><build><item objectid=\"1\"/></build>")
                .replace(
                        "3D/3dmodel.model",
                        text -> text.replace(
                                        "<model ",
                                        "<model xml:lang=\"en-US\" xmlns:slic3rpe=\"http://schemas.slic3r.org/3mf/2017/06\" ")
                                .replace(
                                        "<resources>",
                                        "<metadata name=\"slic3rpe:Version3mf\">1</metadata><resources>"))
                .with("Metadata/plate_1.png", ThreemfFiles.PNG)
                .with("Metadata/Slic3r_PE_model.config", """
                        <config>
                         <object id="1" instances_count="1">
                          <metadata type="object" key="name" value="Tag"/>
                          <volume firstid="0" lastid="11"/>
                          <volume firstid="12" lastid="23">
                           <metadata type="volume" key="matrix" value="1 0 0 5 0 0 -1 0 0 1 0 0 0 0 0 1"/>
                           <slic3rpe:text text="NAME" family="Unheard Of" weight="bold"/>
                          </volume>
                          <volume firstid="24" lastid="35">
                           <metadata type="volume" key="matrix" value="1 0 0 5 0 1 0 5 0 0 1 2 0 0 0 1"/>
                           <slic3rpe:text text="OTHER" family="Unheard Of"/>
                          </volume>
                         </object>
                        </config>
                        """);
    }

    private List<TextSlot> slots(Path file) throws IOException {
        return Objects.requireNonNull(
                Objects.requireNonNull(reader.read(file).metadata()).textSlots());
    }

    private List<Volume> volumes(Path file) throws IOException {
        return Objects.requireNonNull(reader.plates(file).get(0))
                .items()
                .getFirst()
                .volumes();
    }

    @Test
    void textInAPrusaSlicerProjectIsReplacedInTheSharedMesh() throws IOException {
        Path file = prusaTag().write(folder);
        List<TextSlot> before = slots(file);
        assertThat(before).extracting(TextSlot::text).containsExactly("NAME", "OTHER");
        Path bound = bound(file, word(before.getFirst().key(), "Ilse", Sizing.stretch));
        assertThat(slots(bound)).extracting(TextSlot::text).containsExactly("Ilse", "OTHER");
        assertThat(slots(bound))
                .extracting(TextSlot::key)
                .isEqualTo(before.stream().map(TextSlot::key).toList());
        assertThat(volumes(bound)).hasSize(3);
        assertThat(volumes(bound).get(1).mesh().triangles()).isGreaterThan(100);
        for (int body : new int[] {0, 1, 2}) {
            assertClose(
                    volumes(bound).get(body).bounds(), volumes(file).get(body).bounds());
        }
        assertThat(volumes(bound).getFirst().mesh().paint(PaintLayer.SUPPORTS, 0))
                .isEqualTo(volumes(file).getFirst().mesh().paint(PaintLayer.SUPPORTS, 0));
        Path both = bound(bound, word(before.getLast().key(), "Else", null), word("width", "3", null));
        assertThat(slots(both)).extracting(TextSlot::text).containsExactly("Ilse", "Else");
    }

    @Test
    void projectWithNewTextIsValidForAStrictReader() throws IOException {
        Path prusa = prusaTag().write(folder);
        Path bambu = tag();
        assertThat(StrictPackageReader.faults(bound(prusa, word(slot(prusa).key(), "Ilse", null))))
                .isEmpty();
        assertThat(StrictPackageReader.faults(bound(bambu, word(slot(bambu).key(), "Ilse", null))))
                .isEqualTo(StrictPackageReader.faults(bambu));
    }

    @Test
    void prusaSlicerReadsAProjectWithNewText() throws IOException {
        Tool slicer = Tools.DEFAULTS.prusaSlicer();
        assumeTrue(slicer.isInstalled(), "PrusaSlicer is not installed");
        Path file = prusaTag().write(folder);
        Path place = Files.createDirectory(folder.resolve("slicer"));
        Files.copy(bound(file, word(slot(file).key(), "Ilse", Sizing.stretch)), place.resolve("bound.3mf"));
        assertThat(slicer.run(place, List.of("--info", "bound.3mf"))).contains("size_x = 40.0", "size_y = 21.0");
    }

    private static void assertClose(Bounds one, Bounds other) {
        assertThat(one.minX()).isCloseTo(other.minX(), within(1e-3));
        assertThat(one.maxX()).isCloseTo(other.maxX(), within(1e-3));
        assertThat(one.minY()).isCloseTo(other.minY(), within(1e-3));
        assertThat(one.maxY()).isCloseTo(other.maxY(), within(1e-3));
        assertThat(one.minZ()).isCloseTo(other.minZ(), within(1e-3));
        assertThat(one.maxZ()).isCloseTo(other.maxZ(), within(1e-3));
    }

    @Test
    void textThatCannotBeReplacedIsNamedInTheError() throws IOException {
        Path torn = prusaTag()
                .replace("Metadata/Slic3r_PE_model.config", text -> text.replace("firstid=\"24\"", "firstid=\"26\""))
                .write(folder);
        PartParameter other = word(slots(torn).getLast().key(), "Else", null);
        assertThatThrownBy(() -> bound(torn, other)).hasMessageContaining("The text 'OTHER'");
    }
}
