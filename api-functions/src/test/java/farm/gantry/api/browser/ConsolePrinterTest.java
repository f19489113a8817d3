package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests a printer's page: temperatures, manual commands, filament, record and settings. */
final class ConsolePrinterTest extends ConsoleVisit {
    private static final String VENDOR_A = """
            "provider": "vendorA", "dev_access_code": "12345678", "dev_id": "x", "dev_model_name": "m",
            "dev_product_name": "p", "name": "n", "nozzle_diameter": 0.4, "online": true, "print_status": "idle\"""";

    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    private void reports(String printer, String status, double nozzle, List<?> slots, Map<String, ?> more) {
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(
                        printer,
                        status,
                        Map.of(
                                "nozzle",
                                Map.of("actual", nozzle, "target", 220),
                                "bed",
                                Map.of("actual", 60.2, "target", 60)),
                        slots,
                        more)));
    }

    private Page sees(String printer) {
        Page page = visit("printers/" + printer);
        assertThat(page.locator(".panel")).isVisible();
        return page;
    }

    private String told() {
        return fakeAgent.exchange().text();
    }

    @Test
    void temperatureChartCoversTheTimeSinceTheConsoleWasOpened() {
        String id = fakeAgent.printer("Ada 1", "");
        reports(id, "idle", 180.4, List.of(), Map.of());
        Page page = sees(id);
        assertThat(page.locator(".chart canvas")).isVisible();
        assertThat(page.locator(".chart figcaption")).containsText("Since");
        Locator plot = page.getByRole(AriaRole.IMG, new Page.GetByRoleOptions().setName(Pattern.compile("^Since ")));
        assertThat(plot).hasAttribute("aria-label", Pattern.compile("Nozzle between 180 and 180 °C"));
        page.waitForFunction("() => { const c = document.querySelector('.chart canvas');"
                + " return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(Boolean); }");
        opensToAll(page);
    }

    /** The chart used to begin empty, because only an open page remembered temperatures. */
    @Test
    void temperatureChartShowsTheHourBeforeThePageWasOpened() {
        String id = fakeAgent.printer("Ada 1", "");
        String at = Instant.now().minus(Duration.ofMinutes(20)).toString();
        Map<String, Object> state = Map.of(
                "connection",
                "online",
                "status",
                "idle",
                "temperatures",
                Map.of("nozzle", Map.of("actual", 90.4, "target", 220)),
                "filamentSlots",
                List.of(),
                "errors",
                List.of(),
                "at",
                at);
        fakeAgent.exchange(
                List.of(), List.of(), List.of(Map.of("deviceId", fakeAgent.deviceOf(id), "at", at, "state", state)));
        reports(id, "idle", 180.4, List.of(), Map.of());
        Locator plot =
                sees(id).getByRole(AriaRole.IMG, new Page.GetByRoleOptions().setName(Pattern.compile("^Since ")));
        assertThat(plot).hasAttribute("aria-label", Pattern.compile("Nozzle between 90 and 180 °C"));
    }

    @Test
    void faultShowsItsCauseWhatToTryAndThePrintersHelp() {
        String printer = fakeAgent.printer("Ada 1", "");
        reports(
                printer,
                "error",
                40,
                List.of(),
                Map.of("errors", List.of(Map.of("message", "MCU 'mcu' shutdown: Timer too close"))));
        Page page = visit("printers/" + printer);
        Locator faults = page.locator(".faults");
        assertThat(faults).containsText("MCU 'mcu' shutdown: Timer too close");
        assertThat(faults).containsText("restart the firmware");
        assertThat(faults.getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName("Help for this printer")))
                .hasAttribute("href", Pattern.compile("^/docs/printers/"));
    }

    @Test
    void lightsAndFansAreSetWithOnePress() {
        String id = fakeAgent.printer("Ada 1", "");
        Page page = sees(id);
        page.getByRole(AriaRole.GROUP, named("Light")).getByText("On").click();
        says(page, "Light on");
        assertThat(told()).contains("led-control", "\"light\":\"light\"", "\"state\":\"on\"");
        page.getByRole(AriaRole.GROUP, named("Part cooling fan"))
                .getByText("50")
                .click();
        says(page, "Part cooling fan 50 %");
        assertThat(told()).contains("set-fan", "50");
    }

    @Test
    void heatingAndMovingNeedConfirmation() {
        String id = fakeAgent.printer("Ada 1", "");
        Page page = sees(id);
        page.getByLabel("Nozzle to, in °C").fill("205");
        button(page, "Heat").first().click();
        assertThat(told()).doesNotContain("set-temperature");
        confirm(page);
        says(page, "Nozzle: to 205 °C");
        assertThat(told()).contains("set-temperature", "205");
        page.getByLabel("Bed to, in °C").fill("900");
        assertThat(button(page, "Heat").last()).isDisabled();
        assertThat(button(page, "X +10")).isDisabled();
        button(page, "Unlock: nothing is in the way").click();
        button(page, "X +10").click();
        says(page, "X +10 mm");
        assertThat(told()).contains("move-axis", "\"x\":10");
        button(page, "Home all").click();
        assertThat(told()).doesNotContain("home-axis");
        confirm(page);
        says(page, "Homing");
        assertThat(told()).contains("home-axis");
    }

    /** Such a command would damage the print. */
    @Test
    void printingPrinterCannotBeMovedOrHeated() {
        String id = fakeAgent.printer("Ada 1", "");
        Page page = sees(id);
        button(page, "Unlock: nothing is in the way").click();
        page.getByLabel("Nozzle to, in °C").fill("205");
        assertThat(button(page, "X +10")).isEnabled();
        reports(
                id,
                "printing",
                219,
                List.of(),
                Map.of("job", Map.of("fileName", "by-hand.gcode", "percent", 3, "remainingSeconds", 60)));
        assertThat(button(page, "X +10")).isDisabled();
        assertThat(button(page, "Heat").first()).isDisabled();
        assertThat(button(page, "Home all")).isDisabled();
        assertThat(button(page, "Unlock: nothing is in the way")).isDisabled();
        reports(id, "idle", 100, List.of(), Map.of());
        assertThat(button(page, "Unlock: nothing is in the way")).isEnabled();
        assertThat(button(page, "X +10")).isDisabled();
        assertThat(told()).doesNotContain("move-axis", "set-temperature", "home-axis");
    }

    @Test
    void unsupportedCommandsAreNotOffered() {
        String id = fakeAgent.printer("Ada 1", VENDOR_A, "");
        Page page = sees(id);
        assertThat(page.locator(".panel")).containsText("Chamber light");
        assertThat(button(page, "Emergency stop")).hasCount(0);
        String other = fakeAgent.printer(
                "Bob 2", "\"provider\": \"vendorP\", \"nozzle_diameter\": 0.4, \"password\": \"s\"", "");
        page.navigate(SharedApi.url() + "/console/printers/" + other);
        assertThat(page.locator(".printer h1")).hasText("Bob 2");
        assertThat(page.getByText("Unlock")).hasCount(0);
        assertThat(page.getByText("cooling fan")).hasCount(0);
    }

    @Test
    void scannedSpoolIsInOneSlotOnly() {
        String id = fakeAgent.printer("Ada 1", "");
        String other = fakeAgent.printer("Bob 2", "");
        reports(
                id,
                "idle",
                20,
                List.of(
                        Map.of("amsIndex", 0, "slotIndex", 0, "loaded", true, "materialType", "PLA", "color", "1F6FEB"),
                        Map.of("amsIndex", 0, "slotIndex", 1, "loaded", false)),
                Map.of());
        String spool = client.made(
                "/v1/materials/instances",
                "{\"name\":\"Blue 7\",\"materialType\":\"PETG\",\"remainingGrams\":640,\"identifier\":\"M-77\"}");
        client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[\"" + other + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\""
                        + spool + "\"}");
        Page page = sees(id);
        page.getByLabel("Spool in A2").click();
        assertThat(page.getByLabel("Scan or type a spool")).isFocused();
        page.keyboard().type("nothing");
        page.keyboard().press("Enter");
        says(page, "There is no spool nothing");
        page.keyboard().type("M-77");
        page.keyboard().press("Enter");
        says(page, "is in A2");
        assertThat(page.locator(".slots")).containsText("640 g left");
        assertThat(client.get("/v1/printer-slots?instanceId=" + spool).each("slot"))
                .containsExactly("A2");
        page.getByLabel("Spool in A1").click();
        page.keyboard().type(SharedApi.url() + "/console/spools/" + spool);
        page.keyboard().press("Enter");
        says(page, "is in A1");
        assertThat(client.get("/v1/printer-slots?instanceId=" + spool).each("slot"))
                .containsExactly("A1");
        String red = client.made("/v1/materials/instances", "{\"name\":\"Red 8\",\"materialType\":\"PLA\"}");
        page.getByLabel("Spool in A2").click();
        Locator list = page.getByLabel("or choose");
        assertThat(list.locator("option")).hasCount(3);
        list.press("ArrowDown");
        assertThat(list).hasValue(red);
        list.press("ArrowDown");
        assertThat(list).hasValue(spool);
        list.press("ArrowUp");
        assertThat(list).hasValue(red);
        assertThat(client.get("/v1/printer-slots?instanceId=" + red).text()).isEqualTo("[]");
        tabTo(page, button(page, "Put it in"));
        page.keyboard().press("Enter");
        says(page, "is in A2");
        assertThat(client.get("/v1/printer-slots?instanceId=" + red).each("slot"))
                .containsExactly("A2");
        assertThat(page.locator(".slots")).containsText("though PETG is assigned");
        opensToAll(page);
        page.getByLabel("Take the spool out of A1").click();
        says(page, "The slot is marked as empty");
        assertThat(client.get("/v1/printer-slots?instanceId=" + spool).text()).isEqualTo("[]");
    }

    @Test
    void otherMaterialInAPausedPrintIsConfirmed() {
        String id = fakeAgent.printer("Ada 1", "");
        reports(
                id,
                "paused",
                219,
                List.of(Map.of("amsIndex", 0, "slotIndex", 0, "loaded", true, "materialType", "PLA")),
                Map.of("job", Map.of("fileName", "by-hand.gcode", "percent", 30, "remainingSeconds", 60)));
        String spool = client.made(
                "/v1/materials/instances", "{\"name\":\"Soft\",\"materialType\":\"TPU\",\"identifier\":\"T1\"}");
        Page page = sees(id);
        page.getByLabel("Spool in A1").click();
        page.keyboard().type("T1");
        page.keyboard().press("Enter");
        assertThat(page.locator("dialog")).containsText("Put TPU into A1 of a print in PLA?");
        assertThat(client.get("/v1/printer-slots?instanceId=" + spool).text()).isEqualTo("[]");
        confirm(page);
        says(page, "is in A1");
        assertThat(client.get("/v1/printer-slots?instanceId=" + spool).each("slot"))
                .containsExactly("A1");
    }

    @Test
    void spoolLabelLinksToTheSpool() {
        fakeAgent.printer("Ada 1", "");
        Page page = visit("spools");
        button(page, "Add a spool …").click();
        page.getByLabel("Name").last().fill("Red 1");
        page.getByRole(AriaRole.TEXTBOX, named("Type")).fill("PETG");
        button(page, "Add the spool").click();
        says(page, "Print its label");
        page.getByLabel("Select Red 1 · PETG").check();
        assertThat(page.locator(".label .qr")).isVisible();
        page.getByLabel("Grams left on Red 1 · PETG").fill("420");
        page.keyboard().press("Enter");
        says(page, "420 g left");
        opensToAll(page);
        Answer spool = client.get("/v1/materials/instances");
        assertThat(spool.at("[0].remainingGrams")).hasToString("420");
        page.navigate(SharedApi.url() + "/console/spools/" + spool.at("[0].id"));
        assertThat(page.locator(".label")).containsText("Red 1");
        page.emulateMedia(new Page.EmulateMediaOptions().setMedia(com.microsoft.playwright.options.Media.PRINT));
        assertThat(page.locator("header")).isHidden();
        assertThat(page.locator(".label")).isVisible();
    }

    @Test
    void settingsAreSavedAndSecretsAreHidden() {
        String id = fakeAgent.printer("Ada 1", VENDOR_A, "");
        Page page = sees(id);
        page.locator("details.settings summary").click();
        assertThat(page.content()).doesNotContain("12345678");
        page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("Ada 9");
        page.getByLabel("Tags").fill("petg, front row");
        page.getByLabel("Address").fill("10.0.0.9");
        button(page, "Save").click();
        says(page, "Settings saved");
        assertThat(page.locator(".printer h1")).hasText("Ada 9");
        Answer stored = client.get("/v1/printers/" + id);
        assertThat(stored.at("tags")).asString().contains("petg", "front row");
        assertThat(stored.at("metadata.host")).isEqualTo("10.0.0.9");
        assertThat(stored.at("metadata.dev_access_code")).isEqualTo("12345678");
        page.getByLabel("Access code").fill("87654321");
        button(page, "Save").click();
        assertThat(page.getByLabel("Access code")).hasValue("");
        assertThat(button(page, "Save")).isDisabled();
        assertThat(client.get("/v1/printers/" + id).at("metadata.dev_access_code"))
                .isEqualTo("87654321");
        button(page, "Maintenance").click();
        assertThat(page.getByText("Maintenance began")).isVisible();
        opensToAll(page);
    }
}
