package farm.gantry.ingest.threemf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.ingest.ThreemfFiles;
import farm.gantry.ingest.mesh.Body;
import farm.gantry.ingest.mesh.Bounds;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata.TextSlot;
import farm.gantry.part.PartParameter;
import farm.gantry.part.PartParameter.Sizing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextBindingTest {
    @TempDir
    Path folder;

    private final ThreemfReader reader = new ThreemfReader(Part.Type.THREE_MF);
    private final List<String> warnings = new ArrayList<>();

    /** The tower's second volume is made a text. */
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
        return TextBinding.bind(file, List.of(parameters), folder, warnings::add);
    }

    private Body text(Path file) throws IOException {
        Scene scene = Objects.requireNonNull(reader.plates(file).get(1));
        return scene.items().getFirst().bodies().getLast();
    }

    private Bounds letters(Path file) throws IOException {
        return text(file).bounds();
    }

    @Test
    void newWordsAreReadAgainFromTheProjectInTheOldOnesPlace() throws IOException {
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
        assertThat(warnings).containsOnly("The font Unheard Of is not installed, so another one stands in for it");
    }

    @Test
    void theRestOfTheProjectStaysAsItWas() throws IOException {
        Path file = tag();
        Path bound = bound(file, word(slot(file).key(), "Ilse", null));
        Body tower = Objects.requireNonNull(reader.plates(bound).get(2))
                .items()
                .getFirst()
                .bodies()
                .getFirst();
        Body before = Objects.requireNonNull(reader.plates(file).get(2))
                .items()
                .getFirst()
                .bodies()
                .getFirst();
        assertThat(tower.bounds()).isEqualTo(before.bounds());
        assertThat(Objects.requireNonNull(reader.read(bound).metadata()).plates())
                .isEqualTo(Objects.requireNonNull(reader.read(file).metadata()).plates());
    }

    @Test
    void aProjectWithoutSuchASlotIsLeftAlone() throws IOException {
        Path file = tag();
        assertThat(bound(file, word("width", "3", null))).isEqualTo(file);
        assertThat(bound(file, word(slot(file).key(), "NAME", null))).isEqualTo(file);
    }
}
