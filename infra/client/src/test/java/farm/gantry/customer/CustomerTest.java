package farm.gantry.customer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.main.StandaloneServer;
import farm.gantry.client.ApiClient;
import farm.gantry.client.ApiException;
import farm.gantry.client.LayoutsApi;
import farm.gantry.client.MacrosApi;
import farm.gantry.client.PartsApi;
import farm.gantry.client.PermissionsApi;
import farm.gantry.client.PrinterThrottleGroupsApi;
import farm.gantry.client.PrintersApi;
import farm.gantry.client.StorageApi;
import farm.gantry.client.model.GcodeMacro;
import farm.gantry.client.model.GcodeMacroCompatibility;
import farm.gantry.client.model.GcodeMacroInsert;
import farm.gantry.client.model.GcodeMacroPartial;
import farm.gantry.client.model.GcodeMacroSearchResponse;
import farm.gantry.client.model.GcodeMacroUpdate;
import farm.gantry.client.model.Layout;
import farm.gantry.client.model.LayoutCard;
import farm.gantry.client.model.LayoutDefinition;
import farm.gantry.client.model.LayoutInsert;
import farm.gantry.client.model.Part;
import farm.gantry.client.model.PartInsert;
import farm.gantry.client.model.PartPartial;
import farm.gantry.client.model.Printer;
import farm.gantry.client.model.PrinterInsert;
import farm.gantry.client.model.PrinterMetadataFirmwareK;
import farm.gantry.client.model.PrinterMetadataInput;
import farm.gantry.client.model.PrinterPartial;
import farm.gantry.client.model.PrinterThrottleGroup;
import farm.gantry.client.model.PrinterThrottleGroupHeatedInput;
import farm.gantry.client.model.PrinterThrottleGroupInsert;
import farm.gantry.client.model.PrinterThrottleGroupReleaseConditionsInput;
import farm.gantry.client.model.SearchRequest;
import farm.gantry.client.model.StorageUploadRequest;
import farm.gantry.client.model.StorageUploadUrl;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Runs a farm with the generated Java client only. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CustomerTest {
    private final StandaloneServer machine;
    private final ApiClient client;

    CustomerTest(@TempDir Path folder) throws IOException {
        machine = StandaloneServer.start(
                folder.resolve("farm"), Map.of("micronaut.server.port", -1, "gantry.rate-limit.per-minute", 0));
        String key = machine.ownerKey().orElseThrow();
        client = new ApiClient();
        client.updateBaseUri(machine.url());
        client.setRequestInterceptor(request -> request.setHeader("Authorization", "ApiKey " + key));
    }

    @AfterAll
    void close() throws IOException {
        machine.close();
    }

    private static GcodeMacroInsert macro(String name) {
        return new GcodeMacroInsert()
                .name(name)
                .type(GcodeMacroInsert.TypeEnum.BED_CLEARING)
                .gcode("G28")
                .description("clears the bed")
                .addCompatibilitiesItem(
                        new GcodeMacroCompatibility().vendorName("Maker").modelName("M1"));
    }

    private GcodeMacro made(String name) throws ApiException {
        return new MacrosApi(client)
                .createMacro(MacrosApi.APICreateMacroRequest.newBuilder()
                        .gcodeMacroInsert(macro(name))
                        .build());
    }

    @Test
    void macroIsCreatedReadUpdatedAndDeleted() throws ApiException {
        MacrosApi macros = new MacrosApi(client);
        GcodeMacro made = made("wipe");
        assertThat(made.getId()).matches("[a-z0-9]{24}");
        assertThat(made.getCompatibilities()).hasSize(1);
        var one = MacrosApi.APIGetMacroRequest.newBuilder().id(made.getId()).build();
        assertThat(macros.getMacro(one))
                .extracting(
                        GcodeMacroPartial::getId,
                        GcodeMacroPartial::getName,
                        GcodeMacroPartial::getDescription,
                        GcodeMacroPartial::getCompatibilities,
                        GcodeMacroPartial::getUpdatedAt)
                .containsExactly(
                        made.getId(),
                        made.getName(),
                        made.getDescription(),
                        made.getCompatibilities(),
                        made.getUpdatedAt());
        GcodeMacro changed = macros.updateMacro(MacrosApi.APIUpdateMacroRequest.newBuilder()
                .id(made.getId())
                .gcodeMacroUpdate(new GcodeMacroUpdate().name("tidy").description(null))
                .build());
        assertThat(changed.getName()).isEqualTo("tidy");
        assertThat(changed.getDescription()).isNull();
        assertThat(changed.getGcode()).isEqualTo("G28");
        assertThat(macros.deleteMacro(MacrosApi.APIDeleteMacroRequest.newBuilder()
                        .id(made.getId())
                        .build()))
                .containsExactly(made.getId());
        assertThatThrownBy(() -> macros.getMacro(one))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo(404));
    }

    @Test
    void listIsReadInFullOrInPagesAndSearched() throws ApiException {
        MacrosApi macros = new MacrosApi(client);
        made("paged 1");
        made("paged 2");
        made("paged 3");
        var named = MacrosApi.APIListMacrosRequest.newBuilder().sort("name:desc");
        assertThat(macros.listMacros(named.name("paged 2").build()).getGcodeMacroList())
                .extracting(GcodeMacroPartial::getName)
                .containsExactly("paged 2");
        GcodeMacroSearchResponse page =
                macros.listMacros(named.name(null).limit(2).meta(true).build()).getGcodeMacroSearchResponse();
        assertThat(page.getData()).hasSize(2);
        assertThat(page.getMeta().getHasMore()).isTrue();
        assertThat(page.getMeta().getLimit()).isEqualTo(2);
        GcodeMacroSearchResponse found = macros.searchMacros(MacrosApi.APISearchMacrosRequest.newBuilder()
                .searchRequest(new SearchRequest()
                        .putFilterItem("name", Map.of("startsWith", "paged"))
                        .sort("name:desc"))
                .build());
        assertThat(found.getMeta().getTotal()).isEqualTo(3);
        assertThat(found.getData().getFirst().getName()).isEqualTo("paged 3");
    }

    @Test
    void layoutKeepsItsCards() throws ApiException {
        Layout layout = new LayoutsApi(client)
                .createLayout(LayoutsApi.APICreateLayoutRequest.newBuilder()
                        .layoutInsert(new LayoutInsert()
                                .name("wall")
                                .mode(LayoutInsert.ModeEnum.GRID)
                                .formatVersion(1)
                                .definition(new LayoutDefinition()
                                        .formatVersion(1)
                                        .mode(LayoutDefinition.ModeEnum.GRID)
                                        .addCardsItem(new LayoutCard()
                                                .id("a")
                                                .card("queue")
                                                .x(BigDecimal.valueOf(0))
                                                .y(BigDecimal.valueOf(1))
                                                .w(BigDecimal.valueOf(2))
                                                .h(BigDecimal.valueOf(3)))))
                        .build());
        assertThat(layout.getUserId()).isNotBlank();
        assertThat(layout.getDefinition().getCards().getFirst().getW()).isEqualTo(BigDecimal.valueOf(2));
    }

    @Test
    void printerIsRegisteredInAThrottleGroup() throws ApiException {
        PrinterThrottleGroup group = new PrinterThrottleGroupsApi(client)
                .createPrinterThrottleGroup(PrinterThrottleGroupsApi.APICreatePrinterThrottleGroupRequest.newBuilder()
                        .printerThrottleGroupInsert(new PrinterThrottleGroupInsert()
                                .name("fuse box")
                                .enabled(true)
                                .maxConcurrentStarts(2)
                                .fallbackTimeoutSeconds(600)
                                .temperatureToleranceC(2.0)
                                .releaseConditions(new PrinterThrottleGroupReleaseConditionsInput()
                                        .bed(new PrinterThrottleGroupHeatedInput()
                                                .mode(PrinterThrottleGroupHeatedInput.ModeEnum.PERCENT_OF_TARGET)
                                                .percent(90.0))))
                        .build());
        PrintersApi printers = new PrintersApi(client);
        PrinterMetadataInput metadata = new PrinterMetadataInput(new PrinterMetadataFirmwareK()
                .provider(PrinterMetadataFirmwareK.ProviderEnum.FIRMWARE_K)
                .extruderCount(1)
                .nozzleDiameter(0.4)
                .serverPort(7125)
                .apiKey("secret"));
        List<Printer> registered = printers.createPrinters(PrintersApi.APICreatePrintersRequest.newBuilder()
                .printerInsert(List.of(new PrinterInsert()
                        .name("left")
                        .nozzleDiameter("0.4")
                        .commMethod(PrinterInsert.CommMethodEnum.FUSE)
                        .deviceId("left-1")
                        .throttleGroupId(group.getId())
                        .metadata(metadata)))
                .build());
        assertThat(registered).hasSize(1);
        Printer printer = registered.getFirst();
        assertThat(printer.getIsOnline()).isFalse();
        assertThat(printer.getMetadata().getPrinterMetadataFirmwareK().getServerPort())
                .isEqualTo(7125);
        assertThat(printers.listPrinters(PrintersApi.APIListPrintersRequest.newBuilder()
                                .throttleGroupId(group.getId())
                                .build())
                        .getPrinterList())
                .extracting(PrinterPartial::getId)
                .containsExactly(printer.getId());
    }

    @Test
    void partIsUploadedAndIngested() throws Exception {
        StorageUploadUrl upload = new StorageApi(client)
                .storageSignedUploadUrls(StorageApi.APIStorageSignedUploadUrlsRequest.newBuilder()
                        .storageUploadRequest(new StorageUploadRequest().addFilenamesItem("cube.gcode"))
                        .build())
                .getSignedUrls()
                .getFirst();
        HttpRequest put = HttpRequest.newBuilder(URI.create(upload.getUploadUrl()))
                .PUT(HttpRequest.BodyPublishers.ofString("G28\nG1 X10 Y10 E1\n"))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(put, HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
        PartsApi parts = new PartsApi(client);
        Part part = parts.createPart(PartsApi.APICreatePartRequest.newBuilder()
                .partInsert(new PartInsert()
                        .name("cube")
                        .type(PartInsert.TypeEnum.GCODE)
                        .addFileUrisItem(upload.getPath()))
                .build());
        assertThat(part.getFileHashes()).hasSize(1);
        assertThat(part.getArrangeable()).isTrue();
        assertThat(parts.listParts(PartsApi.APIListPartsRequest.newBuilder()
                                .type("gcode")
                                .idIn(part.getId())
                                .build())
                        .getPartList())
                .extracting(PartPartial::getName)
                .containsExactly("cube");
    }

    @Test
    void ownerHasAllPermissions() throws ApiException {
        PermissionsApi permissions = new PermissionsApi(client);
        assertThat(permissions.listPermissionTypes()).contains("part.view", "macro.create");
    }
}
