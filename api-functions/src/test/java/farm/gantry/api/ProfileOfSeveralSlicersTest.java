package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.profile.ProfileSettings;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Tables;
import farm.gantry.profile.Profile;
import farm.gantry.wire.SliceSetup;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles of a store that inherit those of slicers. */
final class ProfileOfSeveralSlicersTest {
    @TempDir
    Path folder;

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());

    private String bundle(String slicer, String profiles) throws IOException {
        Path bundle = Files.createDirectories(folder.resolve(slicer));
        Files.writeString(bundle.resolve("Maker.ini"), profiles);
        return bundle.toString();
    }

    private SliceSetup.Profile forSlicing(ApplicationContext api, String inherits) {
        String id = client.made("/v1/profiles", """
                {"name": "Mine of %s", "type": "process", "source": "manual", "data": {"perimeters": 5}, "metadata": {},
                 "externalId": null, "inherits": "%s", "compatibilityList": "", "integrationId": null,
                 "integrationType": null}""".formatted(inherits, inherits));
        return SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> api.getBean(ProfileSettings.class)
                                .forSlicing(
                                        tx,
                                        SharedApi.bean(Tables.class)
                                                .of(Profile.class)
                                                .find(tx, id)
                                                .orElseThrow()));
    }

    @Test
    void whoSlicesDecidesWhichProfileOfSeveralSlicersIsMeant() throws IOException {
        String both = "[print:Fine]\nlayer_height = 0.1\n";
        try (ApplicationContext api = SharedApi.another(Map.of(
                "gantry.slicers.bundles.slicer1",
                bundle("slicer1", both),
                "gantry.slicers.bundles.slicer3",
                bundle("slicer3", both + "[print:Own]\nlayer_height = 0.2\n")))) {
            SliceSetup.Profile fine = forSlicing(api, "Fine");
            assertThat(fine.inherits()).isEqualTo("Fine");
            assertThat(fine.slicer()).isNull();
            assertThat(fine.data()).containsEntry("perimeters", 5).doesNotContainKey("layer_height");
            SliceSetup.Profile own = forSlicing(api, "Own");
            assertThat(own.inherits()).isEmpty();
            assertThat(own.slicer()).isEqualTo("slicer3");
            assertThat(own.data()).containsEntry("layer_height", "0.2");
        }
    }
}
