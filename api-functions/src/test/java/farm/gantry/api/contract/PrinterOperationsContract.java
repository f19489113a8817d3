package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the settings of printers and their effects. */
public interface PrinterOperationsContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String registered(Client client, String metadata, String more) {
        Answer made = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "P", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "enabled": true,
                          "integrationId": null, "integrationType": null, "metadata": %s%s}]
                        """.formatted(Id.next(), metadata, more)));
        assertThat(made.status()).as(made.text()).isEqualTo(200);
        return String.valueOf(made.at("[0].id"));
    }

    private static String registered(Client client) {
        return registered(
                client,
                "{\"provider\":\"firmwareK\",\"extruder_count\":1,\"nozzle_diameter\":0.4,\"server_port\":7125}",
                "");
    }

    private static String profile(Client client, String name, String type, String inherits, String data) {
        return client.made("/v1/profiles", """
                {"name": "%s", "type": "%s", "source": "manual", "data": %s, "metadata": {}, "inherits": "%s",
                 "compatibilityList": ""}""".formatted(name, type, data, inherits));
    }

    @Test
    default void continuousPrintingIsEnabledWithALimitUnderBothSpellings() {
        Client client = owner();
        String id = registered(client);
        bedClearingMacro(client, id, "G1 Y220");
        Answer on = client.patch(
                "/v1/printers/continous-print", "{\"ids\":[\"" + id + "\"],\"enabled\":true,\"jobLimit\":3}");
        assertThat(on.status()).as(on.text()).isEqualTo(200);
        assertThat(on.at("[0].continuousPrint")).isEqualTo(true);
        assertThat(on.at("[0].continuousRemainingJobs")).hasToString("3");
        Answer off = client.patch("/v1/printers/continuous-print", "{\"ids\":[\"" + id + "\"],\"enabled\":false}");
        assertThat(off.at("[0].continuousPrint")).isEqualTo(false);
        assertThat(off.at("[0].continuousRemainingJobs")).isNull();
        Answer refused = client.patch(
                "/v1/printers/continous-print", "{\"ids\":[\"" + id + "\"],\"enabled\":true,\"jobLimit\":0}");
        assertThat(refused.at("details[0].path")).isEqualTo("jobLimit");
    }

    /** Creates a bed-clearing macro for a printer model, and sets the printer's model. */
    private static void bedClearingMacro(Client client, String printer, String gcode) {
        client.made("/v1/macros", """
                {"name": "push", "type": "bed_clearing", "gcode": "%s",
                 "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""".formatted(gcode));
        client.patch("/v1/printers/" + printer, "{\"modelName\":\"Trident\",\"vendorName\":\"Voron\"}");
    }

    @Test
    default void continuousPrintingIsRejectedWithoutAMacroThatClearsTheBed() {
        Client client = owner();
        String able = registered(client);
        String other = registered(client);
        bedClearingMacro(client, able, "G1 Y220");
        String body = "{\"ids\":[\"" + able + "\",\"" + other + "\"],\"enabled\":true}";
        Answer refused = client.patch("/v1/printers/continous-print", body);
        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.at("message"))
                .isEqualTo("nothing was changed: 1 printer cannot print continuously; the reason is in details");
        assertThat(refused.at("details[0].path")).isEqualTo("ids[1]");
        assertThat(refused.at("details[0].message"))
                .asString()
                .contains("(P) cannot clear its bed: no bed_clearing macro suits its model");
        assertThat(client.get("/v1/printers/" + able).at("continuousPrint")).isEqualTo(false);
        client.patch(
                "/v1/printers/" + other,
                "{\"printerCapabilityPatch\":{\"gcodeInOrder\":false},"
                        + "\"modelName\":\"Trident\",\"vendorName\":\"Voron\"}");
        assertThat(client.patch("/v1/printers/continous-print", body).at("details[0].message"))
                .asString()
                .contains("does not report when a macro has finished");
        assertThat(client.patch("/v1/printers/continous-print", body.replace("true", "false"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    default void continuousPrintingNeedsBothPermissions() {
        Client client = owner();
        String body = "{\"ids\":[\"" + registered(client) + "\"],\"enabled\":true}";
        for (String permission : new String[] {"printer.config", "printer.ready"}) {
            assertThat(client.permitted(permission)
                            .patch("/v1/printers/continous-print", body)
                            .status())
                    .isEqualTo(403);
        }
    }

    @Test
    default void maintenanceIsDatedOnceAtStartAndEnd() {
        Client client = owner();
        String id = registered(client);
        String on = "{\"printerIds\":[\"" + id + "\"],\"enabled\":true}";
        Answer began = client.patch("/v1/maintenance/mode", on);
        assertThat(began.at("[0].isInMaintenance")).isEqualTo(true);
        assertThat(began.at("[0].lastMaintenanceOfflineAt")).isNotNull();
        assertThat(began.at("[0].lastMaintenanceOnlineAt")).isNull();
        assertThat(client.patch("/v1/maintenance/mode", on).at("[0].lastMaintenanceOfflineAt"))
                .as("already enabled")
                .isEqualTo(began.at("[0].lastMaintenanceOfflineAt"));
        Answer ended = client.patch("/v1/maintenance/mode", on.replace("true", "false"));
        assertThat(ended.at("[0].isInMaintenance")).isEqualTo(false);
        assertThat(ended.at("[0].lastMaintenanceOnlineAt")).isNotNull();
    }

    @Test
    default void printerIsRenamed() {
        Client client = owner();
        String id = registered(client);
        assertThat(client.patch("/v1/printers/" + id + "/rename", "{\"name\":\"Left\"}")
                        .at("name"))
                .isEqualTo("Left");
        assertThat(client.patch("/v1/printers/" + id + "/rename", "{\"name\":\"\"}")
                        .status())
                .isEqualTo(400);
        assertThat(client.patch("/v1/printers/" + SharedApi.unknownId() + "/rename", "{\"name\":\"x\"}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    default void configurationChangesOnlyTheNamedFields() {
        Client client = owner();
        String id = registered(
                client,
                "{\"dev_access_code\":\"1\",\"dev_id\":\"2\",\"dev_model_name\":\"m\",\"dev_product_name\":\"p\","
                        + "\"name\":\"n\",\"nozzle_diameter\":0.4,\"online\":true,\"print_status\":\"IDLE\"}",
                "");
        String machine = profile(
                client,
                "mine",
                "machine",
                "",
                "{\"printable_area\":[\"0x0\",\"256x0\",\"256x250\",\"0x250\"],\"printable_height\":\"245.5\"}");
        Answer set = client.patch(
                "/v1/printers/set-config",
                "{\"printerIds\":[\"" + id + "\"],\"providerConfig\":{\"do_bed_leveling\":true},"
                        + "\"machineUserProfileId\":\"" + machine + "\"}");
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        assertThat(set.json().get(0).get("providerConfig").getValue())
                .isEqualTo(Map.of("use_ams", true, "bed_type", "auto", "do_bed_leveling", true));
        assertThat(set.at("[0].machineUserProfileId")).isEqualTo(machine);
        assertThat(set.at("[0].bedSize.x")).hasToString("256");
        assertThat(set.at("[0].bedSize.y")).hasToString("250");
        assertThat(set.at("[0].bedSize.z")).hasToString("245.5");
        Answer again = client.patch(
                "/v1/printers/set-config", "{\"printerIds\":[\"" + id + "\"],\"processSystemProfileId\":null}");
        assertThat(again.at("[0].machineUserProfileId")).isEqualTo(machine);
        Answer nothing = client.patch("/v1/printers/set-config", "{\"printerIds\":[\"" + id + "\"]}");
        assertThat(nothing.status()).as(nothing.text()).isEqualTo(200);
        assertThat(nothing.at("[0].machineUserProfileId")).isEqualTo(machine);
    }

    @Test
    default void configurationRejectsProfilesOfAnotherType() {
        Client client = owner();
        String id = registered(client);
        String process = profile(client, "fast", "process", "", "{}");
        Answer refused = client.patch(
                "/v1/printers/set-config",
                "{\"printerIds\":[\"" + id + "\"],\"machineUserProfileId\":\"" + process + "\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("machineUserProfileId");
        Answer unknown = client.patch(
                "/v1/printers/set-config",
                "{\"printerIds\":[\"" + id + "\"],\"machineUserProfileId\":\"" + SharedApi.unknownId() + "\"}");
        assertThat(unknown.status()).as(unknown.text()).isEqualTo(400);
        assertThat(unknown.at("details[0].path")).isEqualTo("machineUserProfileId");
        assertThat(client.get("/v1/printers/" + id).at("machineUserProfileId")).isNull();
    }

    @Test
    default void capabilitiesAreTheProvidersDefaultsWithThePrintersPatches() {
        Client client = owner();
        String id = registered(client);
        Answer make = client.get("/v1/printers/" + id + "/capability");
        assertThat(make.at("capability.printing.skipObjects")).isEqualTo(true);
        assertThat(make.at("machineCommands[0]")).isEqualTo("emergency-stop");
        assertThat(make.at("capability.fans[0].ref")).isEqualTo("part");
        assertThat(make.at("bindings.firmwareK.components.bed.object")).isEqualTo("heater_bed");
        client.patch("/v1/printers/" + id, """
                {"printerCapabilityPatch": {"fans": [{"ref": "aux", "label": "Side fan", "kind": "auxiliary"},
                                                     {"ref": "part", "label": "Nozzle fan"}],
                                            "printing": {"skipObjects": false}, "lights": null},
                 "printerAdapterBindingsPatch": {"firmwareK": {"components": {"bed": {"object": "plate"}, "light": null},
                                                               "modules": ["mmu"]}}}""");
        Answer own = client.get("/v1/printers/" + id + "/capability");
        assertThat(own.at("capability.fans[0].label")).isEqualTo("Nozzle fan");
        assertThat(own.at("capability.fans[0].kind")).isEqualTo("part");
        assertThat(own.at("capability.fans[1].label")).isEqualTo("Side fan");
        assertThat(own.at("capability.printing.skipObjects")).isEqualTo(false);
        assertThat(own.at("capability.printing.start")).isEqualTo(true);
        assertThat(own.at("capability.lights")).isEqualTo("(absent)");
        assertThat(own.at("bindings.firmwareK.components.bed.object")).isEqualTo("plate");
        assertThat(own.at("bindings.firmwareK.components.light")).isEqualTo("(absent)");
        assertThat(own.at("bindings.firmwareK.components.nozzle0.object")).isEqualTo("extruder");
        assertThat(own.at("bindings.firmwareK.modules[0]")).isEqualTo("mmu");
    }

    @Test
    default void capabilityPatchesAreMergedIncludingRemovals() {
        Client client = owner();
        String id = registered(client);
        client.patch(
                "/v1/printers/" + id,
                "{\"printerCapabilityPatch\":{\"fans\":[{\"ref\":\"a\",\"label\":\"A\",\"kind\":\"x\"}],\"lights\":null}}");
        Answer patched = client.patch(
                "/v1/printers/" + id,
                "{\"printerCapabilityPatch\":{\"fans\":[{\"ref\":\"b\",\"label\":\"B\",\"kind\":\"x\"}],\"gcode\":false}}");
        assertThat(patched.at("printerCapabilityPatch.fans[0].ref")).isEqualTo("a");
        assertThat(patched.at("printerCapabilityPatch.fans[1].ref")).isEqualTo("b");
        assertThat(patched.at("printerCapabilityPatch.lights")).isNull();
        assertThat(patched.at("printerCapabilityPatch.gcode")).isEqualTo(false);
        assertThat(client.patch("/v1/printers/" + id, "{\"printerCapabilityPatch\":null}")
                        .at("printerCapabilityPatch"))
                .isNull();
    }

    @Test
    default void allErrorsOfPatchesAreReturnedAndLegacyPatchesPass() {
        Client client = owner();
        String id = registered(client);
        Answer refused = client.patch("/v1/printers/" + id, """
                {"printerAdapterBindingsPatch": {"teapot": {}, "vendorP": {"commands": {}, "schemaVersion": 2},
                                                 "vendorA": {"commands": {"setChamberTemperature": {}}, "modules": []},
                                                 "firmwareK": {"components": {"a": 1}, "modules": [1]}},
                 "printerCapabilityPatch": {"fans": [{"label": "x"}], "nozzles": {}, "gcode": "yes",
                                            "printing": {"start": 1}}}""");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder(
                        "printerAdapterBindingsPatch.teapot",
                        "printerAdapterBindingsPatch.vendorP.commands",
                        "printerAdapterBindingsPatch.vendorP.schemaVersion",
                        "printerAdapterBindingsPatch.vendorA.commands.setChamberTemperature",
                        "printerAdapterBindingsPatch.vendorA.modules",
                        "printerAdapterBindingsPatch.firmwareK.components.a",
                        "printerAdapterBindingsPatch.firmwareK.modules",
                        "printerCapabilityPatch.fans[0].ref",
                        "printerCapabilityPatch.nozzles",
                        "printerCapabilityPatch.gcode",
                        "printerCapabilityPatch.printing.start");
        assertThat(client.patch(
                                "/v1/printers/" + id,
                                "{\"printerAdapterBindingsPatch\":{\"firmwareK\":{\"components\":{\"bed\":{}}}}}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    default void modelNamesComeFromTheModelNumber() {
        Client client = owner();
        Answer model = client.post(
                "/v1/printer-models",
                "{\"vendorName\":\"Acme\",\"modelName\":\"Acme One\",\"nozzleDiameters\":[\"0.4\"]}");
        assertThat(model.status()).as(model.text()).isEqualTo(201);
        Object number = model.at("vendorModelId");
        Answer listed = client.get("/v1/printer-models?vendorName=Acme");
        assertThat(listed.at("[0].vendorModelId")).isEqualTo(number);
        assertThat(listed.at("[0].id")).isEqualTo(model.at("id"));
        assertThat(client.post("/v1/printer-models", "{\"vendorName\":\"Acme\",\"modelName\":\"Acme One\"}")
                        .status())
                .isEqualTo(409);
        String id = registered(client, "null", ",\"vendorModelId\":" + number);
        assertThat(client.get("/v1/printers/" + id).at("modelName")).isEqualTo("Acme One");
        assertThat(client.get("/v1/printers/" + id).at("vendorName")).isEqualTo("Acme");
        String named = registered(client, "null", ",\"modelName\":\"My own\",\"vendorModelId\":" + number);
        assertThat(client.get("/v1/printers/" + named).at("modelName")).isEqualTo("My own");
        String other = registered(client, "null", "");
        Answer both = client.patch(
                "/v1/printers",
                "{\"ids\":[\"" + named + "\",\"" + other + "\"],\"update\":{\"vendorModelId\":" + number + "}}");
        assertThat(both.each("modelName")).containsExactly("Acme One", "Acme One");
        assertThat(both.each("vendorName")).containsExactly("Acme", "Acme");
    }

    @Test
    default void catalogueHasTheModelsOfCommonMakersWithTheirBuildVolume() {
        Client client = owner();
        Answer listed = client.get("/v1/printer-models?modelName.contains=X1+Carbon&vendorName=Bambu+Lab");
        assertThat(listed.at("[0].modelName")).isEqualTo("Bambu Lab X1 Carbon");
        assertThat(listed.at("[0].bedSize.x")).hasToString("256");
        String id = registered(client, "null", ",\"vendorModelId\":" + listed.at("[0].vendorModelId"));
        assertThat(client.get("/v1/printers/" + id).at("modelName")).isEqualTo("Bambu Lab X1 Carbon");
        assertThat(client.get("/v1/printer-models?limit=1000").each("modelName"))
                .contains("Original Prusa MK4", "Original Prusa XL", "Prusa CORE One", "Creality K1");
    }

    @Test
    default void inMemoryListSupportsAllListParameters() {
        Client client = owner();
        for (String name : List.of("Two", "one", "Three")) {
            client.made("/v1/printer-models", "{\"vendorName\":\"Beta\",\"modelName\":\"" + name + "\"}");
        }
        client.made("/v1/printer-models", "{\"vendorName\":\"Beth\",\"modelName\":\"Two\"}");
        Answer page = client.get(
                "/v1/printer-models?vendorName.in=Beta,Beth&modelName.ne=one"
                        + "&sort=modelName:desc,vendorName:desc&offset=1&limit=1&fields=modelName,vendorName&hints=true&newer=1");
        assertThat(page.text()).contains("\"data\":[{\"modelName\":\"Two\",\"vendorName\":\"Beta\"}]");
        assertThat(page.at("meta.total")).isEqualTo(3);
        assertThat(page.at("meta.hasMore")).isEqualTo(true);
        assertThat(page.at("meta.ignored[0]")).isEqualTo("newer");
        assertThat(page.at("hints[0]")).isNotNull();
        Answer found = client.post(
                "/v1/printer-models/search",
                "{\"filter\":{\"or\":[{\"modelName\":{\"startsWith\":\"TH\"}},{\"vendorName\":\"Beth\"}]}}");
        assertThat(found.status()).as(found.text()).isEqualTo(201);
        assertThat(List.of(found.at("data[0].modelName"), found.at("data[1].modelName")))
                .containsExactly("Three", "Two");
        for (String path : List.of("/v1/printer-models", "/v1/system-profiles", "/v1/macros")) {
            for (String wrong :
                    List.of("sort=bogus", "limit=0", "offset=-1", "fields=bogus", "meta=1", "cursor=bogus")) {
                assertThat(client.get(path + "?" + wrong).status())
                        .as(path + "?" + wrong)
                        .isEqualTo(400);
            }
            assertThat(client.post(path + "/search", "{\"sort\":\"bogus\"}").at("error"))
                    .isEqualTo("invalid_sort");
            assertThat(client.post(path + "/search", "{\"limit\":1}").at("meta.limit"))
                    .isEqualTo(1);
        }
    }

    @Test
    default void bedSizeIsUpdatedWhenTheMachineProfileOrItsParentChanges() {
        Client client = owner();
        String base = profile(client, "base", "machine", "", "{\"bed_shape\":\"0x0,100x0,100x90,0x90\"}");
        String machine = profile(client, "machine", "machine", "base", "{\"max_print_height\":\"80\"}");
        String id = registered(client, "null", ",\"machineUserProfileId\":\"" + machine + "\"");
        assertThat(client.get("/v1/printers/" + id).at("bedSize.z")).hasToString("80");
        client.patch("/v1/profiles/" + machine, "{\"data\":{\"max_print_height\":\"70\"}}");
        assertThat(client.get("/v1/printers/" + id).at("bedSize.z")).hasToString("70");
        client.patch("/v1/profiles/" + base, "{\"data\":{\"bed_shape\":\"-60x-60,60x-60,60x60,-60x60\"}}");
        assertThat(client.get("/v1/printers/" + id).at("bedSize.x")).hasToString("120");
    }

    @Test
    default void profileIsResolvedThroughItsParents() {
        Client client = owner();
        profile(client, "base", "process", "", "{\"layer_height\":\"0.2\",\"perimeters\":\"2\"}");
        String fine = profile(client, "fine", "process", "base", "{\"layer_height\":\"0.1\"}");
        Answer resolved = client.get("/v1/profiles/" + fine + "/resolved");
        assertThat(resolved.at("settings.layer_height")).isEqualTo("0.1");
        assertThat(resolved.at("settings.perimeters")).isEqualTo("2");
        assertThat(resolved.at("inherits[0]")).isEqualTo("base");
        assertThat(resolved.at("missing")).isNull();
        String lost = profile(client, "lost", "process", "nowhere", "{}");
        assertThat(client.get("/v1/profiles/" + lost + "/resolved").at("missing"))
                .isEqualTo("nowhere");
    }

    @Test
    default void profileCannotInheritFromItself() {
        Client client = owner();
        String first = profile(client, "first", "process", "", "{}");
        profile(client, "second", "process", "first", "{}");
        Answer refused = client.patch("/v1/profiles/" + first, "{\"inherits\":\"second\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("inherits");
    }

    @Test
    default void processForAnotherNozzleIsRejected() {
        Client client = owner();
        String machine = profile(client, "machine", "machine", "", "{\"nozzle_diameter\":[\"0.4\"]}");
        String thin = profile(client, "thin", "process", "", """
                {"compatible_printers_condition": "printer_model==\\"other\\" and nozzle_diameter[0]==0.3"}""");
        String fits = profile(client, "fits", "process", "", """
                {"compatible_printers": ["Acme 0.3 nozzle", "Acme 0.4 nozzle"]}""");
        String id = registered(client, "null", ",\"machineUserProfileId\":\"" + machine + "\"");
        String set = "{\"printerIds\":[\"" + id + "\"],\"processUserProfileId\":\"%s\"}";
        for (Answer refused : List.of(
                client.patch("/v1/printers/set-config", set.formatted(thin)),
                client.patch("/v1/printers/" + id, "{\"processUserProfileId\":\"" + thin + "\"}"))) {
            assertThat(refused.status()).as(refused.text()).isEqualTo(400);
            assertThat(refused.at("details[0].path")).isEqualTo("processUserProfileId");
            assertThat(refused.text()).contains("'thin' is made for another nozzle than the 0.4 mm");
        }
        assertThat(client.get("/v1/printers/" + id).at("processUserProfileId")).isNull();
        assertThat(client.patch("/v1/printers/set-config", set.formatted(fits)).at("[0].processUserProfileId"))
                .isEqualTo(fits);
    }

    @Test
    default void printerWithMismatchedProfilesCanStillBeChanged() {
        Client client = owner();
        String machine = profile(client, "machine", "machine", "", "{\"nozzle_diameter\":\"0.4\"}");
        String process = profile(
                client, "process", "process", "", "{\"compatible_printers_condition\":\"nozzle_diameter[0]==0.4\"}");
        String id = registered(
                client,
                "null",
                ",\"machineUserProfileId\":\"" + machine + "\",\"processUserProfileId\":\"" + process + "\"");
        client.patch("/v1/profiles/" + machine, "{\"data\":{\"nozzle_diameter\":\"0.6\"}}");
        assertThat(client.patch("/v1/printers/" + id, "{\"name\":\"Upper shelf\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    default void compatibleProfilesAreListed() {
        Client client = owner();
        String machine = profile(client, "machine", "machine", "", "{\"nozzle_diameter\":\"0.4\"}");
        profile(client, "any", "process", "", "{}");
        profile(client, "thin", "process", "", "{\"compatible_printers_condition\":\"nozzle_diameter[0]<0.3\"}");
        profile(client, "fits", "filament", "", "{\"compatible_printers\":[\"machine\"]}");
        String id = registered(client, "null", ",\"machineUserProfileId\":\"" + machine + "\"");
        assertThat(client.get("/v1/printers/" + id + "/compatible-profiles").each("name"))
                .containsExactly("any", "fits");
    }
}
