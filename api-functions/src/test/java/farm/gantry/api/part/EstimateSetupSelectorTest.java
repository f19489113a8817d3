package farm.gantry.api.part;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import farm.gantry.wire.SliceSetup;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EstimateSetupSelectorTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());

    @Test
    void estimateUsesTheMostCommonPrinterModel() {
        String common = profile("Common");
        String rare = profile("Rare");
        printer("Ender", rare, true);
        printer("Voron", common, true);
        printer("Voron", common, true);
        printer("Ender", rare, false);
        assertThat(machines(new PrintTags(null, null, null, null, null, null))).containsExactly("Common", "Rare");
        assertThat(machines(new PrintTags(null, null, "Ender", null, null, null)))
                .containsExactly("Rare");
        assertThat(machines(new PrintTags(null, null, "Prusa", null, null, null)))
                .containsExactly("none");
    }

    private List<String> machines(PrintTags tags) {
        Part part = RecordBuilder.of(Part.class)
                .with(Part::id, Id.next())
                .with(Part::storeId, store.id().value())
                .with(Part::createdAt, Instant.EPOCH)
                .with(Part::updatedAt, Instant.EPOCH)
                .with(Part::name, "bracket")
                .with(Part::description, "")
                .with(Part::type, Part.Type.stl)
                .with(Part::fileUris, List.of("files:x"))
                .with(Part::fileHashes, List.of("hash"))
                .with(Part::parameters, List.of())
                .with(Part::userTags, List.of())
                .with(Part::customMetadata, Map.of())
                .with(Part::printTags, tags)
                .with(Part::use3MFProcessProfile, false)
                .with(Part::arrangeable, true)
                .build();
        return SharedApi.bean(Database.class)
                .in(store.id(), tx -> SharedApi.bean(EstimateSetupSelector.class).select(tx, part))
                .stream()
                .map(setup -> name(setup.machine()))
                .toList();
    }

    private static String name(SliceSetup.@Nullable Profile machine) {
        return machine == null ? "none" : machine.name();
    }

    private String profile(String name) {
        return client.made("/v1/profiles", """
                {"name": "%s", "type": "machine", "source": "manual", "data": {"nozzle_diameter": "0.4"}, "metadata": {},
                 "externalId": null, "inherits": "", "compatibilityList": "", "integrationId": null, "integrationType": null}""".formatted(name));
    }

    private void printer(String model, String profile, boolean enabled) {
        String body = """
                [{"name": "p", "modelName": "%s", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": null, "enabled": %s,
                  "integrationId": null, "integrationType": null, "metadata": null, "machineUserProfileId": "%s"}]""".formatted(model, enabled, profile);
        assertThat(client.with("content-type", "application/json")
                        .send("PUT", "/v1/printers", body.getBytes(StandardCharsets.UTF_8))
                        .status())
                .isEqualTo(200);
    }
}
