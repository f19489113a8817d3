package farm.gantry.ingest.slicer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.ingest.bundle.ProfileBundles;
import farm.gantry.ingest.bundle.SystemProfile;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.profile.Profile;
import farm.gantry.wire.SliceSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceSettingsResolverTest {
    private static final String BUNDLE = """
            [vendor]
            name = Maker
            [print:*common*]
            layer_height = 0.2
            perimeters = 2
            post_process = /bin/evil
            [print:Fine]
            inherits = *common*
            layer_height = 0.1
            [print:Thin]
            compatible_printers_condition = printer_model=="BOX" and nozzle_diameter[0]==0.3
            [printer:Box]
            nozzle_diameter = 0.4
            """;

    @TempDir
    Path folder;

    private ProfileBundles bundles = new ProfileBundles(Map.of());

    @BeforeEach
    void install() throws IOException {
        Files.writeString(folder.resolve("Maker.ini"), BUNDLE);
        bundles = new ProfileBundles(Map.of("slicer3", folder));
    }

    private static SliceSetup.Profile user(String name, String inherits, Map<String, Object> data) {
        return new SliceSetup.Profile("u".repeat(24), name, inherits, data, null);
    }

    private SliceSettings resolved(SliceSetup setup, Map<String, Object> embedded) throws IOException {
        return new SliceSettingsResolver(() -> bundles)
                .resolve(setup, embedded, "slicer3", new PrusaEngine(Tools.DEFAULTS.prusaSlicer()));
    }

    private SliceSettings recipe(
            SliceSetup.@Nullable Profile part,
            SliceSetup.@Nullable Profile printer,
            boolean use3mf,
            Map<String, Object> embedded)
            throws IOException {
        return resolved(new SliceSetup(null, part, printer, List.of(), use3mf, true, null), embedded);
    }

    /** Resolves the settings for a machine that inherits from the bundle's machine with a nozzle of 0.4 mm. */
    private SliceSettings onBox(SliceSetup.@Nullable Profile part, SliceSetup.@Nullable Profile printer)
            throws IOException {
        return resolved(
                new SliceSetup(user("My box", "Box", Map.of()), part, printer, List.of(), true, true, null), Map.of());
    }

    @Test
    void processProfileForAnotherNozzleIsRejected() {
        SliceSetup.Profile other = user("Lettered", "Thin", Map.of());
        String reason = "The process profile 'Lettered' is made for another nozzle than the 0.4 mm of the machine"
                + " profile 'My box'";
        assertThatThrownBy(() -> onBox(other, null))
                .isInstanceOf(BadFileException.class)
                .hasMessage(reason);
        assertThatThrownBy(() -> onBox(null, other))
                .isInstanceOf(BadFileException.class)
                .hasMessage(reason);
        assertThatThrownBy(() ->
                        onBox(null, user("Listed", "", Map.of("compatible_printers", List.of("Other 0.6 mm nozzle")))))
                .hasMessageContaining("'Listed'");
    }

    @Test
    void projectFileForAnotherNozzleIsRejected() throws IOException {
        var setup = new SliceSetup(user("My box", "Box", Map.of()), null, null, List.of(), true, true, null);
        assertThatThrownBy(() -> resolved(setup, Map.of("nozzle_diameter", "0.6", "layer_height", "0.35")))
                .isInstanceOf(BadFileException.class)
                .hasMessage("The process profile 'embedded in the file' is made for another nozzle than the 0.4 mm of"
                        + " the machine profile 'My box'");
        assertThat(resolved(setup, Map.of("nozzle_diameter", "0.4,0.4", "layer_height", "0.2"))
                        .process())
                .containsEntry("layer_height", "0.2");
    }

    @Test
    void processProfileForTheMachineNozzleIsAccepted() throws IOException {
        assertThat(onBox(null, user("Mine", "Fine", Map.of("compatible_printers", List.of("Box"))))
                        .process())
                .containsEntry("layer_height", "0.1");
        assertThat(onBox(user("Fits", "Fine", Map.of()), user("Thin", "Thin", Map.of()))
                        .process())
                .containsEntry("layer_height", "0.1");
    }

    @Test
    void userProfileOverridesTheSystemProfileItInherits() throws IOException {
        SliceSettings recipe = recipe(null, user("Mine", "Fine", Map.of("perimeters", 5)), false, Map.of());
        assertThat(recipe.process()).isEqualTo(Map.of("layer_height", "0.1", "perimeters", 5));
        assertThat(recipe.profiles().processProfileName()).isEqualTo("Mine");
    }

    @Test
    void nullSettingIsInherited() throws IOException {
        Map<String, Object> data = new HashMap<>();
        data.put("layer_height", null);
        data.put("retract_length", Arrays.asList(null, 0.8));
        assertThat(recipe(null, user("Mine", "Fine", data), false, Map.of()).process())
                .containsEntry("layer_height", "0.1")
                .containsEntry("retract_length", List.of("nil", 0.8));
    }

    @Test
    void systemProfileIsFoundById() throws IOException {
        SystemProfile fine = bundles.findByName(Profile.Type.process, "Fine").orElseThrow();
        SliceSettings recipe = recipe(
                null, new SliceSetup.Profile(Long.toString(fine.id()), "Fine", "", Map.of(), null), false, Map.of());
        assertThat(recipe.process()).containsEntry("layer_height", "0.1").containsEntry("perimeters", "2");
        assertThat(recipe.profiles().processProfileId()).isEqualTo(Long.toString(fine.id()));
    }

    @Test
    void unknownProfileIsRejectedInsteadOfUsingDefaults() {
        var machine = new SliceSetup.Profile("4711", "Renamed box", "", Map.of(), null);
        assertThatThrownBy(() -> resolved(new SliceSetup(machine, null, null, List.of(), false, true, null), Map.of()))
                .isInstanceOf(BadFileException.class)
                .hasMessage("The machine profile 'Renamed box' is not known where parts are sliced");
        assertThatThrownBy(() -> recipe(null, user("Mine", "Gone", Map.of("perimeters", 5)), false, Map.of()))
                .isInstanceOf(BadFileException.class)
                .hasMessage(
                        "The profile 'Gone', which the process profile 'Mine' inherits, is not known where parts are"
                                + " sliced");
    }

    @Test
    void profileThatInheritsFromAnotherSlicerFamilyIsRejected() throws IOException {
        bundles = new ProfileBundles(Map.of("slicer1", folder));
        SliceSetup.Profile mine = user("Mine", "Fine", Map.of());
        var setup = new SliceSetup(null, null, mine, List.of(), false, true, null);
        assertThat(new SliceSettingsResolver(() -> bundles).slicers(setup)).containsExactly(List.of("slicer1"));
        assertThatThrownBy(() -> resolved(setup, Map.of()))
                .isInstanceOf(BadFileException.class)
                .hasMessage("The process profile 'Mine' is for OrcaSlicer, and PrusaSlicer cannot slice with it");
    }

    /** Creates a folder whose bundle has the same profiles with another layer height. */
    private Path otherFolder(String name, String height) throws IOException {
        Path other = Files.createDirectories(folder.resolve(name));
        Files.writeString(other.resolve("Maker.ini"), BUNDLE.replace("0.1", height));
        return other;
    }

    @Test
    void ambiguousProfileNameResolvesToTheSlicersOwnProfile() throws IOException {
        Path orca = otherFolder("orca", "0.11");
        Path superSlicer = otherFolder("super", "0.14");
        bundles = new ProfileBundles(Map.of("slicer1", orca, "slicer3", folder, "slicer4", superSlicer));
        SliceSetup.Profile mine = user("Mine", "Fine", Map.of());
        assertThat(recipe(null, mine, false, Map.of()).process()).containsEntry("layer_height", "0.1");
        bundles = new ProfileBundles(Map.of("slicer1", orca, "slicer4", superSlicer));
        assertThat(recipe(null, mine, false, Map.of()).process())
                .as("of the same family")
                .containsEntry("layer_height", "0.14");
    }

    @Test
    void profileNameKnownOnlyToAnotherSlicerFamilyIsRejected() throws IOException {
        bundles = new ProfileBundles(Map.of("slicer1", folder, "slicer2", folder));
        assertThatThrownBy(() -> recipe(null, user("Mine", "Fine", Map.of()), false, Map.of()))
                .isInstanceOf(BadFileException.class)
                .hasMessage("The process profile 'Mine' is for OrcaSlicer or Bambu Studio, and PrusaSlicer cannot slice"
                        + " with it");
    }

    @Test
    void profileSettingThatRunsAProgramIsRemoved() throws IOException {
        SliceSettings recipe = recipe(
                user("Mine", "Fine", Map.of("post_process", "rm -rf /", "output_filename_format", "../x")),
                null,
                false,
                Map.of());
        assertThat(recipe.process()).doesNotContainKeys("post_process", "output_filename_format", "inherits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "post_process ",
                " post_process",
                "\tpost_process",
                "x = 1\npost_process",
                "post_process = /bin/evil\n#",
                "Post_Process",
                "POST_PROCESS",
                "[section]",
                "filename_format",
                "inherits_group",
                "bed_custom_texture"
            })
    void variantSpellingOfAForbiddenSettingIsRemoved(String key) throws IOException {
        Map<String, Object> settings = Map.of("layer_height", 0.3, key, "/bin/evil");
        assertThat(recipe(user("Mine", "", settings), null, false, Map.of()).process())
                .isEqualTo(Map.of("layer_height", 0.3));
        assertThat(recipe(null, null, true, settings).process())
                .isEqualTo(Map.of("layer_height", 0.3, "layer_gcode", "G92 E0"));
        var setup = new SliceSetup(
                user("Box", "", settings), null, null, List.of(user("Red", "", settings)), false, true, null);
        SliceSettings others = resolved(setup, Map.of());
        assertThat(others.machine()).containsOnlyKeys("layer_height");
        assertThat(others.filaments()).singleElement().isEqualTo(Map.of("layer_height", 0.3));
    }

    @Test
    void processIsTakenFromPartThenFileThenPrinter() throws IOException {
        SliceSetup.Profile part = user("Part", "", Map.of("a", 1));
        SliceSetup.Profile printer = user("Printer", "", Map.of("b", 1));
        Map<String, Object> embedded = Map.of("c", "1", "post_process", "x", "start_gcode", "{newer}");
        assertThat(recipe(part, printer, true, embedded).process()).isEqualTo(Map.of("a", 1));
        assertThat(recipe(null, printer, true, embedded).process())
                .isEqualTo(Map.of("c", "1", "layer_gcode", "G92 E0"));
        assertThat(recipe(null, printer, false, embedded).process()).isEqualTo(Map.of("b", 1));
        assertThat(recipe(null, printer, true, Map.of()).process()).isEqualTo(Map.of("b", 1));
        assertThat(recipe(null, null, true, Map.of()).process()).isEmpty();
    }

    @Test
    void usedProfileNamesAreRecorded() throws IOException {
        assertThat(recipe(null, null, true, Map.of("c", "1")).profiles().processProfileName())
                .isEqualTo("embedded in the file");
        assertThat(recipe(null, null, true, Map.of("c", "1")).profiles().machineProfileName())
                .isEqualTo("embedded in the file");
        assertThat(recipe(null, null, true, Map.of()).profiles().processProfileName())
                .isEqualTo("the slicer's own defaults");
    }
}
