package farm.gantry.ingest.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import farm.gantry.profile.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the profiles that slicers ship, from bundles in INI and in JSON. */
final class ProfileBundlesTest {
    private static final String INI = """
            [vendor]
            name = Acme
            config_version = VERSION

            [printer_model:ONE]
            name = Acme One
            variants = 0.4; 0.6

            [print:*common*]
            layer_height = 0.2
            perimeters = 2

            [print:*fast*]
            perimeters = 3
            top_speed = 100

            # what a person picks
            [print:0.2 FAST]
            inherits = *common*; *fast*
            top_speed = 200
            gcode = G1 ; a = b

            [printer:Acme One 0.4]
            printer_model = ONE
            bed_shape = 0x0,220x0,220x200,0x200

            [filament:Loop]
            inherits = Loop
            """;

    @TempDir
    private Path folder;

    private ProfileBundles ini(String version) throws IOException {
        Files.writeString(folder.resolve("Acme.ini"), INI.replace("VERSION", version));
        return new ProfileBundles(Map.of("slicer3", folder));
    }

    @Test
    void profileOverridesThoseItInheritsAndTheLastParentWins() throws IOException {
        ProfileBundles bundles = ini("1");
        SystemProfile fast =
                bundles.findByName(Profile.Type.process, "0.2 FAST").orElseThrow();
        assertThat(bundles.settings(fast))
                .isEqualTo(Map.of("layer_height", "0.2", "perimeters", "3", "top_speed", "200", "gcode", "G1 ; a = b"));
    }

    @Test
    void abstractProfileIsNotListed() throws IOException {
        assertThat(ini("1").profiles())
                .extracting(SystemProfile::name)
                .containsExactly("0.2 FAST", "Acme One 0.4", "Loop");
    }

    @Test
    void profileThatInheritsItselfIsRejected() throws IOException {
        ProfileBundles bundles = ini("1");
        SystemProfile loop = bundles.findByName(Profile.Type.filament, "Loop").orElseThrow();
        assertThatThrownBy(() -> bundles.settings(loop)).hasMessageContaining("inherits itself");
    }

    @Test
    void profileIdsSurviveAnUpgradeAndFitJson() throws IOException {
        ProfileBundles before = ini("1");
        Files.writeString(folder.resolve("Aaa.ini"), "[print:new]\nlayer_height = 0.1\n");
        ProfileBundles after = ini("2");
        assertThat(after.profiles()).hasSize(4);
        for (SystemProfile profile : before.profiles()) {
            assertThat(profile.id()).isBetween(1L, 1L << 53);
            assertThat(after.find(profile.id()))
                    .get()
                    .extracting(SystemProfile::name)
                    .isEqualTo(profile.name());
        }
        assertThat(after.models()).containsAll(before.models());
        assertThat(before.models())
                .containsExactly(new SystemPrinterModel(
                        SystemPrinterModel.modelId("Acme", "Acme One"),
                        "slicer3",
                        "Acme",
                        "Acme One",
                        List.of("0.4", "0.6")));
    }

    @Test
    void jsonBundleIsRead() throws IOException {
        Files.writeString(folder.resolve("Beta.json"), """
                {"name": "Beta", "version": "1",
                 "machine_model_list": [{"name": "Beta Two", "sub_path": "machine/two.json"}],
                 "process_list": [{"name": "base", "sub_path": "process/base.json"},
                                  {"name": "fine", "sub_path": "process/fine.json"},
                                  {"name": "stolen", "sub_path": "../../secret.json"}],
                 "machine_list": []}
                """);
        Files.createDirectories(folder.resolve("Beta/machine"));
        Files.createDirectories(folder.resolve("Beta/process"));
        Files.writeString(folder.resolve("secret.json"), "{\"name\": \"stolen\"}");
        Files.writeString(
                folder.resolve("Beta/machine/two.json"),
                "{\"type\": \"machine_model\", \"name\": \"Beta Two\", \"nozzle_diameter\": \"0.4;0.2\"}");
        Files.writeString(
                folder.resolve("Beta/process/base.json"),
                "{\"name\": \"base\", \"instantiation\": \"false\", \"layer_height\": \"0.2\", \"speeds\": [\"1\", \"2\"]}");
        Files.writeString(
                folder.resolve("Beta/process/fine.json"),
                "{\"name\": \"fine\", \"inherits\": \"base\", \"layer_height\": \"0.08\"}");
        ProfileBundles bundles = new ProfileBundles(Map.of("slicer1", folder));
        assertThat(bundles.profiles()).extracting(SystemProfile::name).containsExactly("fine");
        assertThat(bundles.settings(bundles.profiles().getFirst()))
                .containsEntry("layer_height", "0.08")
                .containsEntry("speeds", List.of("1", "2"));
        assertThat(bundles.models())
                .extracting(SystemPrinterModel::modelName, SystemPrinterModel::nozzleDiameters)
                .containsExactly(tuple("Beta Two", List.of("0.4", "0.2")));
    }

    @Test
    void missingBundleFolderYieldsNoProfiles() {
        assertThat(new ProfileBundles(Map.of("slicer3", folder.resolve("nowhere"))).profiles())
                .isEmpty();
    }

    @Test
    void bundlesOfTheInstalledPrusaSlicerAreRead() {
        Path installed = Path.of("/usr/share/PrusaSlicer/profiles");
        Assumptions.assumeTrue(Files.isDirectory(installed), "PrusaSlicer is not installed");
        ProfileBundles bundles = new ProfileBundles(Map.of("slicer3", installed));
        assertThat(bundles.models()).hasSizeGreaterThan(50);
        SystemProfile machine = bundles.findByName(Profile.Type.machine, "Original Prusa i3 MK3S & MK3S+")
                .orElseThrow();
        assertThat(bundles.settings(machine))
                .containsEntry("printer_model", "MK3S")
                .containsKey("bed_shape");
        SystemProfile process =
                bundles.findByName(Profile.Type.process, "0.20mm QUALITY @MK3").orElseThrow();
        SystemProfile mini =
                bundles.findByName(Profile.Type.process, "0.20mm QUALITY @MINI").orElseThrow();
        assertThat(ProfileCompatibility.isCompatible(
                        bundles.settings(process), List.of(machine.name()), bundles.settings(machine)))
                .isTrue();
        assertThat(ProfileCompatibility.isCompatible(
                        bundles.settings(mini), List.of(machine.name()), bundles.settings(machine)))
                .isFalse();
    }
}
