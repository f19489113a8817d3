package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.webhook.LocalReceiver;
import farm.gantry.api.webhook.WebhookDeliveries;
import farm.gantry.notification.EventName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the console's settings: the store, printers, the webhook and API keys. */
final class ConsoleSetupTest extends ConsoleVisit {

    @Test
    void storeSettingsAreSavedAndErrorsNameTheirField() {
        Page page = visit("");
        page.getByRole(AriaRole.LINK, named("Setup")).click();
        page.getByRole(AriaRole.LINK, named("Store")).click();
        page.getByLabel("Time zone").fill("Mars/Olympus");
        button(page, "Save").click();
        assertThat(page.locator(".field.wrong")).containsText("Time zone");
        opensToAll(page);
        page.getByLabel("Time zone").fill("Europe/Paris");
        page.getByLabel("Automatic retries").fill("3");
        page.getByLabel("A person approves each job").check();
        page.getByLabel("Slicer").selectOption("PrusaSlicer");
        tabTo(page, button(page, "Save"));
        page.keyboard().press("Enter");
        says(page, "Settings saved");
        Answer stored = client.get("/v1/settings/store");
        assertThat(stored.at("timezone")).isEqualTo("Europe/Paris");
        assertThat(stored.at("maxRetries")).hasToString("3");
        assertThat(stored.at("requireApproval")).isEqualTo(true);
        assertThat(stored.at("slicer")).isEqualTo("slicer3");
        assertThat(page.locator(".field.wrong")).hasCount(0);
        assertThat(button(page, "Save")).isDisabled();
    }

    @Test
    void workingHoursAndRatesAreSaved() {
        String printer = new FakeAgent(store, new Socket()).printer("Ada 1", ", \"modelName\": \"Trident\"");
        String spool = client.made("/v1/materials/instances", "{\"name\":\"Blue 7\",\"materialType\":\"PLA\"}");
        Page page = visit("settings");
        page.getByLabel("Retries on other printers").fill("2");
        page.getByLabel("Quarantine a printer that fails often").check();
        page.getByLabel("Among its last jobs").fill("4");
        page.getByLabel("Plan around working hours").check();
        button(page, "Add hours on Saturday").click();
        page.getByLabel("Saturday until").fill("12:30");
        page.getByLabel("Monday from").fill("");
        page.getByLabel("People at once").fill("2");
        page.getByLabel("Minutes to clear a bed").fill("7");
        page.getByLabel("Holidays").fill("2026-12-25 2026-12-26");
        page.getByLabel("USD for an hour of a printer").fill("0.85");
        page.getByLabel("Count energy").check();
        button(page, "Another price at some hours").click();
        button(page, "Watts of a model").click();
        page.getByLabel("Watts while printing").last().fill("-1");
        page.getByLabel("Count labour").check();
        page.getByLabel("USD an hour").fill("24.5");
        opensToAll(page);
        button(page, "Save").click();
        assertThat(page.locator("[aria-invalid=true]")).hasAttribute("aria-label", "Monday from");
        assertThat(page.locator(".field.wrong")).containsText("Watts while printing");
        page.getByLabel("Monday from").fill("22:00");
        page.getByLabel("Watts while printing").last().fill("120");
        button(page, "Save").click();
        says(page, "Settings saved");
        Answer stored = client.get("/v1/settings/store");
        assertThat(stored.at("failurePolicy.retriesElsewhere")).isEqualTo(2);
        assertThat(stored.at("failurePolicy.quarantine.ofLastJobs")).isEqualTo(4);
        assertThat(stored.at("failurePolicy.pauseQueue")).isNull();
        assertThat(stored.at("workingHours.shifts[0].from")).isEqualTo("22:00");
        assertThat(stored.at("workingHours.shifts[5].day")).isEqualTo("saturday");
        assertThat(stored.at("workingHours.shifts[5].to")).isEqualTo("12:30");
        assertThat(stored.at("workingHours.people")).isEqualTo(2);
        assertThat(stored.at("workingHours.minutesPerBed")).isEqualTo(7);
        assertThat(stored.at("workingHours.holidays[1]")).isEqualTo("2026-12-26");
        assertThat(stored.at("costRates.printerHourCents")).hasToString("85");
        assertThat(stored.at("costRates.energy.models.Trident.printingWatts")).hasToString("120");
        assertThat(stored.at("costRates.energy.windows[0].from")).isEqualTo("22:00");
        assertThat(stored.at("costRates.labour.hourCents")).hasToString("2450");

        page.navigate(SharedApi.url() + "/console/printers/" + printer);
        page.locator("details.settings summary").click();
        page.getByLabel("Cost of an hour").fill("1.20");
        button(page, "Save").click();
        says(page, "Settings saved");
        assertThat(client.get("/v1/printers/" + printer).at("hourlyRate")).hasToString("120");

        page.navigate(SharedApi.url() + "/console/spools");
        page.getByLabel("Price of a kg of Blue 7").fill("24.90");
        page.keyboard().press("Enter");
        says(page, "24.90 a kg");
        page.getByLabel("Grams left on Blue 7").fill("640");
        page.keyboard().press("Enter");
        says(page, "640 g left");
        Answer weighed = client.get("/v1/materials/instances/" + spool);
        assertThat(weighed.at("pricePer1000g")).isEqualTo(2490);
        assertThat(weighed.at("remainingGrams")).hasToString("640");
        opensToAll(page);
    }

    @Test
    void printerIsRegisteredAndItsSecretsAreHidden() {
        FakeAgent fakeAgent = new FakeAgent(store, new Socket());
        Page page = visit("");
        page.getByRole(AriaRole.LINK, named("register them")).click();
        page.getByLabel("Provider").selectOption("OctoPrint");
        page.getByLabel("Name").fill("Shelf 3, left");
        page.getByLabel("Model").fill("Trident");
        page.getByLabel("Address").fill("10.0.0.7");
        named(page, AriaRole.TEXTBOX, "Port").fill("99999");
        page.getByLabel("API key").fill("octo-secret");
        button(page, "Register the printer").click();
        assertThat(page.locator(".field.wrong")).containsText("Port");
        opensToAll(page);
        named(page, AriaRole.TEXTBOX, "Port").fill("5000");
        page.getByLabel("API key").focus();
        page.keyboard().press("Enter");
        says(page, "Shelf 3, left is registered");
        assertThat(page.getByRole(AriaRole.HEADING, named("Shelf 3, left"))).isVisible();
        page.locator("details.settings summary").click();
        assertThat(page.getByLabel("Address")).hasValue("10.0.0.7");
        assertThat(page.getByLabel("API key")).hasValue("");
        assertThat(page.content()).doesNotContain("octo-secret");

        page.navigate(SharedApi.url() + "/console/register");
        page.getByLabel("Name").fill("Shelf 4");
        page.getByLabel("Model").fill("No such model");
        assertThat(page.locator(".form"))
                .containsText("Not in the catalogue. Only files whose G-code names exactly this");
        page.getByLabel("Model").fill("X1C");
        page.getByLabel("Serial number").fill("01P00A123456789");
        page.getByLabel("Access code").fill("12345678");
        button(page, "Register the printer").click();
        says(page, "Shelf 4 is registered");
        Answer made = client.get("/v1/printers?name=Shelf%204");
        assertThat(made.at("[0].deviceId")).isEqualTo("01P00A123456789");
        assertThat(made.at("[0].provider")).isEqualTo("vendorA");
        assertThat(made.at("[0].proxyClientId"))
                .isEqualTo(fakeAgent.client().get("/v1/agents").at("[0].id"));
    }

    /** Opens a page without the browser features that plain HTTP from another machine lacks. */
    private static Page insecure() {
        Page page = browser().page();
        page.addInitScript("""
                delete Crypto.prototype.randomUUID;
                Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });""");
        return page;
    }

    @Test
    void printerIsRegisteredOnceWhenTheResponseIsLost() {
        FakeAgent fakeAgent = new FakeAgent(store, new Socket());
        Page page = visit(insecure(), "register");
        page.getByLabel("Provider").selectOption("Prusa (PrusaLink)");
        page.getByLabel("Name").fill("Shelf 5");
        page.getByLabel("Address").fill("10.0.0.8");
        page.getByLabel("Password").fill("prusa-secret");
        page.route("**/v1/printers", route -> {
            Answer first = client.send("PUT", "/v1/printers", route.request().postDataBuffer());
            assertThat(first.status()).as(first.text()).isEqualTo(200);
            route.abort();
        });
        button(page, "Register the printer").click();
        says(page, "cannot be reached");
        page.unroute("**/v1/printers");
        button(page, "Register the printer").click();
        assertThat(page.locator(".said.bad")).not().containsText("cannot be reached");
        assertThat(page.locator(".said.bad")).not().isEmpty();
        assertThat(fakeAgent.client().get("/v1/printers").each("name")).containsExactly("Shelf 5");
    }

    @Test
    void formIsNotSentTwiceWhileARequestIsPending() {
        Page page = visit(insecure(), "keys");
        button(page, "New key …").click();
        Locator name = page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(Pattern.compile("^Name")));
        name.fill("shop");
        List<Route> held = new ArrayList<>();
        page.route("**/v1/api-keys", held::add);
        Locator form = page.locator("form.form");
        form.evaluate("form => { form.requestSubmit(); form.requestSubmit(); }");
        assertThat(button(page, "Create the key")).isDisabled();
        page.waitForCondition(() -> !held.isEmpty());
        form.evaluate("form => form.requestSubmit()");
        page.unroute("**/v1/api-keys");
        held.forEach(Route::resume);
        String key = page.locator(".secret code").textContent();
        assertThat(client.get("/v1/api-keys?name=shop").each("name")).containsExactly("shop");
        button(page, "Copy").click();
        says(page, "Copied");
        button(page, "New key …").click();
        name.press("Control+V");
        assertThat(name).hasValue(key);
    }

    @Test
    void apiKeyIsShownOnceAndHasTheChosenPermissions() {
        Page.GetByLabelOptions exactly = new Page.GetByLabelOptions().setExact(true);
        Page page = visit("keys");
        button(page, "New key …").click();
        page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(Pattern.compile("^Name")))
                .fill("label printer");
        page.getByLabel("Search permissions").fill("order");
        page.getByLabel("view", exactly).check();
        page.getByLabel("Search permissions").fill("agent");
        page.getByLabel("Agents", exactly).check();
        page.getByLabel("Only from these addresses").fill("127.0.0.1, nowhere");
        opensToAll(page);
        button(page, "Create the key").click();
        assertThat(page.locator(".field.wrong")).containsText("Only from these addresses");
        page.getByLabel("Only from these addresses").fill("127.0.0.1, 10.0.0.0/8");
        page.getByLabel("Requests a minute").fill("30");
        page.getByLabel("Expires").fill("2099-12-31");
        button(page, "Create the key").click();
        Locator secret = page.locator(".secret code");
        Client made = Client.of(new Socket(), secret.textContent());
        assertThat(made.get("/v1/orders").status()).isEqualTo(200);
        assertThat(made.get("/v1/parts").status()).isEqualTo(403);
        Locator row = page.locator(".key", new Page.LocatorOptions().setHasText("label printer"));
        assertThat(row).containsText("3 permissions");
        assertThat(row).containsText("from 127.0.0.1, 10.0.0.0/8");
        assertThat(row).containsText("30 a minute");
        opensToAll(page);
        button(page, "Rename label printer").click();
        page.getByLabel("New name").fill("labels");
        page.keyboard().press("Enter");
        row = page.locator(".key", new Page.LocatorOptions().setHasText("labels"));
        Locator revoke = row.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Revoke"));
        revoke.click();
        assertThat(made.get("/v1/orders").status()).isEqualTo(200);
        confirm(page);
        says(page, "labels is revoked");
        assertThat(made.get("/v1/orders").status()).isEqualTo(401);
        page.reload();
        assertThat(page.locator(".key")).hasCount(1);
        assertThat(secret).hasCount(0);
    }

    @Test
    void apiKeyWorksFromAnyAddressByDefault() {
        Page page = visit("keys");
        button(page, "New key …").click();
        page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(Pattern.compile("^Name")))
                .fill("shop");
        page.getByLabel("Everything, now and in later versions").check();
        page.getByLabel("Only from these addresses").fill(" , ");
        button(page, "Create the key").click();
        Client made = Client.of(new Socket(), page.locator(".secret code").textContent());
        assertThat(made.get("/v1/orders").status()).isEqualTo(200);
    }

    @Test
    void webhookIsSetUpTestedAndDeliveriesAreResent() throws Exception {
        try (LocalReceiver receiver = new LocalReceiver()) {
            Page page = visit("deliveries");
            page.getByLabel("Address").fill(receiver.url());
            button(page, "Create a key").click();
            opensToAll(page);
            button(page, "Save").click();
            assertThat(page.locator(".secret code")).hasText(Pattern.compile("whsec_.+"));
            button(page, "Test").click();
            assertThat(page.locator(".settings")).containsText("The test arrived: answered 204");
            assertThat(page.locator(".events input")).hasCount(EventName.values().length);
            page.getByRole(AriaRole.GROUP, named("Orders"))
                    .getByLabel("Order entered by hand")
                    .check();
            says(page, "Order entered by hand: sent");
            client.post("/v1/orders", "{\"order\":{\"orderNumber\":\"1\"},\"items\":[]}");
            deliver();
            Locator delivery = page.locator(".delivery");
            assertThat(delivery).containsText("Delivered");
            assertThat(delivery).containsText("1 attempt");
            opensToAll(page);
            button(page, Pattern.compile("^Send again: Order entered by hand")).click();
            says(page, "It is sent again");
            deliver();
            assertThat(delivery).containsText("2 attempts");
            delivery.getByText("Attempts and body").click();
            assertThat(delivery.locator("pre")).containsText("onOrderCreatedManual");
            button(page, "Failed").click();
            assertThat(page.getByText("No delivery has the status “Failed”.")).isVisible();
            pressAndConfirm(page, "Switch off");
            assertThat(page.locator(".settings")).containsText("Switched off");
            assertThat(client.get("/v1/settings/notifications").at("[0].enabled"))
                    .isEqualTo(false);
        }
    }

    @Test
    void notificationChannelIsCreatedTestedEditedDisabledAndDeleted() throws Exception {
        try (LocalReceiver receiver = new LocalReceiver()) {
            Page page = visit("channels");
            button(page, "New channel …").click();
            button(page, "Create").click();
            assertThat(page.locator(".field.wrong").first()).isVisible();
            page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(Pattern.compile("^Name")))
                    .fill("Shift phone");
            page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(Pattern.compile("^Topic")))
                    .fill("our-farm");
            page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(Pattern.compile("^Server")))
                    .fill(receiver.url().replaceFirst("/hook.*", ""));
            assertThat(page.locator(".events input")).hasCount(EventName.values().length);
            opensToAll(page);
            button(page, "Create").click();
            Locator channel = page.locator(".channel");
            assertThat(channel).containsText("Shift phone ntfy");
            assertThat(channel).containsText("Nothing sent yet · 3 events");
            button(page, "Send a test to Shift phone").click();
            assertThat(channel).containsText("The test arrived: answered 204");
            receiver.answerWith(403);
            button(page, "Send a test to Shift phone").click();
            assertThat(channel).containsText("The test failed: ntfy responded with status 403. Check settings.token.");
            opensToAll(page);
            button(page, "Edit Shift phone").click();
            page.getByLabel("Printer offline").uncheck();
            page.getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(Pattern.compile("^Only printers")))
                    .fill("hall-2, hall-3");
            page.getByLabel("Quiet hours from").fill("22:00");
            page.getByLabel("Quiet hours to").fill("07:00");
            named(page, AriaRole.TEXTBOX, "Title of messages").fill("{drucker}");
            assertThat(page.locator(".field.wrong")).containsText("the placeholders are {title}, {sentence}");
            named(page, AriaRole.TEXTBOX, "Title of messages").fill("{printer}");
            named(page, AriaRole.TEXTBOX, "Text of messages").fill("Druck von {part} misslungen");
            assertThat(page.locator(".preview")).containsText("Job failedVoron 3Druck von lamp foot misslungen");
            page.getByLabel("Send a picture").check();
            opensToAll(page);
            button(page, "Save").click();
            assertThat(channel).containsText("2 events · only hall-2, hall-3 · quiet from 22:00 to 07:00");
            Answer stored = client.get("/v1/notification-channels");
            assertThat(stored.at("[0].settings.topic")).isEqualTo("our-farm");
            assertThat(stored.at("[0].template.title")).isEqualTo("{printer}");
            assertThat(stored.at("[0].picture")).isEqualTo(true);
            button(page, "Disable Shift phone").click();
            assertThat(channel).containsText("Disabled: its messages are dropped");
            button(page, "Enable Shift phone").click();
            says(page, "Shift phone is enabled");
            pressAndConfirm(page, "Delete");
            assertThat(page.getByText("No channel yet.")).isVisible();
            button(page, "New channel …").click();
            named(page, AriaRole.COMBOBOX, "Service").selectOption("email");
            Map.of(
                            "Name",
                            "Office",
                            "Recipients",
                            "ada@example.com, bob@example.com",
                            "Sender",
                            "farm@example.com",
                            "Mail server",
                            "smtp.example.com")
                    .forEach((label, text) ->
                            named(page, AriaRole.TEXTBOX, label).fill(text));
            named(page, AriaRole.COMBOBOX, "Encryption").selectOption("tls");
            named(page, AriaRole.SPINBUTTON, "Port").fill("2465");
            button(page, "Create").click();
            assertThat(channel).containsText("Office Email");
            Answer made = client.get("/v1/notification-channels");
            assertThat(made.at("[0].settings.recipients")).hasToString("[ada@example.com, bob@example.com]");
            assertThat(made.at("[0].settings.port")).isEqualTo(2465);
        }
    }

    @Test
    void browserShowsMessagesThatItIsSent() {
        Page page = browser().page();
        visit(page, "channels");
        button(page, "New channel …").click();
        named(page, AriaRole.COMBOBOX, "Service").selectOption("webpush");
        named(page, AriaRole.TEXTBOX, "Name").fill("Office screen");
        page.context().clearPermissions();
        button(page, "Create").click();
        says(page, "does not allow messages of this page");
        assertThat(client.get("/v1/notification-channels").text()).isEqualTo("[]");

        page.context().grantPermissions(List.of("notifications"));
        CDPSession session = page.context().newCDPSession(page);
        BlockingQueue<String> registrations = new LinkedBlockingQueue<>();
        session.on(
                "ServiceWorker.workerRegistrationUpdated",
                update -> update.getAsJsonArray("registrations")
                        .forEach(each -> registrations.add(
                                each.getAsJsonObject().get("registrationId").getAsString())));
        session.send("ServiceWorker.enable");
        page.evaluate("""
                async () => {
                  const { href } = document.querySelector('link[rel=modulepreload]');
                  await (await import(new URL("push.js", href).href)).registerWorker();
                  await navigator.serviceWorker.ready;
                }""");
        JsonObject push = new JsonObject();
        push.addProperty("origin", SharedApi.url());
        push.addProperty("registrationId", registrations.remove());
        push.addProperty("data", "{\"title\": \"Print failed\", \"text\": \"Völker 3 failed.\"}");
        session.send("ServiceWorker.deliverPushMessage", push);
        page.waitForFunction("""
                async () => {
                  const shown = await (await navigator.serviceWorker.ready).getNotifications();
                  return shown.length === 1 && shown[0].title === "Print failed" && shown[0].body === "Völker 3 failed.";
                }""");
    }

    /** Returns the field whose name begins with the text; its hint is part of the name. */
    private static Locator named(Page page, AriaRole role, String name) {
        return page.getByRole(role, new Page.GetByRoleOptions().setName(Pattern.compile("^" + name)));
    }

    /** Delivers the webhook events, because the shared test farm has no delivery loop. */
    private void deliver() throws InterruptedException {
        SharedApi.bean(WebhookDeliveries.class)
                .deliver(store.id(), Instant.now().plusSeconds(10));
    }

    @Test
    void readOnlyUserCannotChangeSettings() {
        Page page = visitWith("settings", "settings.view");
        assertThat(page.getByLabel("Time zone")).isDisabled();
        assertThat(button(page, "Save")).hasCount(0);
        assertThat(page.getByRole(AriaRole.LINK, named("API keys"))).hasCount(0);
        page.navigate(SharedApi.url() + "/console/keys");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("apiKey.view");
    }
}
