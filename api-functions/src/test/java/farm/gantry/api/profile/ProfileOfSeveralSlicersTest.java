package farm.gantry.api.profile;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.contract.BuildContract;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.profile.Profile;
import farm.gantry.wire.SliceSetup;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests profiles of a store that inherit from profiles of slicers. */
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
                        tx -> api.getBean(ProfileResolver.class)
                                .forSlicing(
                                        tx,
                                        SharedApi.bean(Tables.class)
                                                .of(Profile.class)
                                                .find(tx, id)
                                                .orElseThrow()));
    }

    @Test
    void profileIsChosenByTheSlicerInUse() throws IOException {
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

    @Test
    void printerModelIsKnownToASlicerOrTheOperator() throws IOException {
        try (ApplicationContext api =
                SharedApi.another(Map.of("gantry.slicers.bundles.slicer3", bundle("slicer3", """
                        [vendor]
                        name = Maker
                        [printer_model:M1]
                        name = Maker One
                        variants = 0.4
                        [print:Fine]
                        layer_height = 0.1
                        """)))) {
            Client owner = Client.of(
                    new Socket(api.getBean(EmbeddedServer.class).getURL().toString()), store.key());
            Object known = owner.get("/v1/printer-models?modelName=Maker%20One").at("[0].vendorModelId");
            Object own = owner.post("/v1/printer-models", "{\"vendorName\":\"Me\",\"modelName\":\"Own\"}")
                    .at("vendorModelId");
            Answer refused = printer(owner, 77);
            assertThat(refused.status()).as(refused.text()).isEqualTo(400);
            assertThat(refused.at("details[0].path")).isEqualTo("[0].vendorModelId");
            String made = String.valueOf(printer(owner, known).at("[0].id"));
            assertThat(owner.get("/v1/printers/" + made).at("modelName")).isEqualTo("Maker One");
            String path = "/v1/printers/" + made;
            assertThat(owner.patch(path, "{\"vendorModelId\":" + own + "}").status())
                    .isEqualTo(200);
            assertThat(owner.patch(path, "{\"vendorModelId\":77}").at("details[0].path"))
                    .isEqualTo("vendorModelId");
            assertThat(owner.patch("/v1/printers", "{\"ids\":[\"" + made + "\"],\"update\":{\"vendorModelId\":77}}")
                            .at("details[0].path"))
                    .isEqualTo("update.vendorModelId");
            Object process = owner.get("/v1/system-profiles?type=process").at("[0].id");
            String material =
                    "{\"name\":\"m\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[],\"filamentSystemProfileId\":%s}";
            String filament = owner.made("/v1/materials", material.formatted("null"));
            assertThat(BuildContract.paths(owner.post("/v1/materials", material.formatted(process))))
                    .containsExactly("filamentSystemProfileId");
            assertThat(BuildContract.paths(owner.patch("/v1/materials/" + filament, material.formatted(process))))
                    .containsExactly("filamentSystemProfileId");
            for (String number : List.of("1.5", "1e300")) {
                assertThat(BuildContract.paths(owner.patch(path, "{\"machineSystemProfileId\":" + number + "}")))
                        .as(number)
                        .containsExactly("machineSystemProfileId");
            }
        }
    }

    private static Answer printer(Client client, @Nullable Object vendorModelId) {
        return client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "P", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "enabled": true,
                          "integrationId": null, "integrationType": null, "metadata": null, "vendorModelId": %s}]""".formatted(Id.next(), vendorModelId)));
    }
}
