package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.promise.PromiseUpdater;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests orders in the console. */
final class ConsoleOrdersTest extends ConsoleVisit {
    /** The interval in milliseconds at which a view is requested again. */
    private static final int ASKED_AGAIN = 61_000;

    private final LampStore lampStore = new LampStore(store, client);
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    @BeforeEach
    void setUp() {
        lampStore.sku("VASE", LampStore.linked(ReadyParts.uploaded(store, client), "vase", 1, ""));
    }

    private String order(String number, Duration due, String items) {
        return String.valueOf(lampStore
                .ordered("""
                {"order": {"orderNumber": "%s", "price": 2990, "currency": "USD", "deadline": "%s"}, "customer": {"name": "Ada"},
                 "items": [%s]}""".formatted(number, Instant.now().plus(due), items))
                .at("order.id"));
    }

    private static String vases(int quantity) {
        return "{\"externalSku\":\"VASE\",\"quantity\":" + quantity + "}";
    }

    private static Locator numbers(Page page) {
        return page.locator(".order h2");
    }

    @Test
    void overdueOrdersAreListedFirstWithTheirReason() {
        order("1", Duration.ofDays(9), vases(1));
        lampStore.print(
                order("2", Duration.ofHours(-80), vases(3) + ",{\"externalSku\":\"NEVER-SEEN\",\"quantity\":1}"));
        String cancelled = order("3", Duration.ofHours(2), vases(1));
        Page page = visit("");
        page.getByRole(AriaRole.LINK, named("Orders")).click();
        assertThat(numbers(page)).hasText(new String[] {"2", "3", "1"});
        assertThat(page.locator(".order").first()).containsText("3 days overdue");
        assertThat(page.locator(".order").first()).containsText("1 item without a SKU");
        assertThat(page.locator(".order").first()).containsText("0 of 3 printed · 3 waiting");
        assertThat(page.locator(".order").last()).containsText("1 item not queued yet");
        opensToAll(page);
        client.post("/v1/orders/" + cancelled + "/cancel", "{}");
        assertThat(numbers(page)).hasText(new String[] {"2", "1"});
        button(page, "Cancelled").click();
        assertThat(numbers(page)).hasText(new String[] {"3"});
        page.reload();
        assertThat(numbers(page)).hasText(new String[] {"3"});
    }

    @Test
    void orderIsResolvedPrintedClosedAndReopened() {
        String printer = fakeAgent.printer("Ada 1", "");
        String id = order("1042", Duration.ofDays(2), vases(2) + ",{\"externalSku\":\"NEVER-SEEN\",\"quantity\":1}");
        Page page = visit("orders/" + id);
        Locator order = page.locator(".orders");
        assertThat(order).containsText("NEVER-SEEN");
        button(page, "Choose a SKU").click();
        page.getByLabel("SKU").fill("VAS");
        page.keyboard().press("Enter");
        assertThat(page.locator(".said.bad")).containsText("No SKU matches \"VAS\"");
        page.getByLabel("SKU").fill("VASE");
        page.keyboard().press("Enter");
        says(page, "It is known now");
        button(page, "Queue remaining items").click();
        says(page, "3 jobs queued");
        assertThat(order.locator(".sheet")).containsText("0 of 3 printed · 3 waiting");
        fakeAgent.confirm(printer);
        fakeAgent.round();
        String job = lampStore.jobs(id, "&status=sending-to-printer").getFirst();
        fakeAgent.happened(printer, "jobStarted", job);
        assertThat(order.locator(".itemjobs").first()).containsText("printing on Ada 1");
        fakeAgent.happened(printer, "jobFailed", job);
        assertThat(order.locator(".sheet")).containsText("1 job failed");
        assertThat(order.locator(".sums")).containsText("$29.90");
        opensToAll(page);
        pressAndConfirm(page, "Close");
        says(page, "The order is closed");
        pressAndConfirm(page, "Open again");
        says(page, "The order is open again");
        button(page, "Cancel").click();
        assertThat(lampStore.of(id).at("status")).isEqualTo("open");
        confirm(page);
        says(page, "The order is cancelled");
        assertThat(lampStore.of(id).at("cancelledAt")).isNotNull();
    }

    @Test
    void orderSaysAtOnceThatItIsBeingPlannedAndThenWhenItIsDone() {
        fakeAgent.printer("Ada 1", "");
        String id = order("1042", Duration.ofDays(2), vases(1));
        Page page = visit("orders/" + id);
        assertThat(page.locator(".planned")).containsText("its items are not queued");
        button(page, "Queue remaining items").click();
        assertThat(page.locator(".planned")).containsText("Being planned. The finish time is known within a minute.");
        SharedApi.bean(PromiseUpdater.class).plan(store.id());
        assertThat(page.locator(".sheet")).containsText("Likely");
    }

    @Test
    void deadlineIsSavedOnceAfterTyping() {
        String id = order("1042", Duration.ofDays(2), vases(1));
        Page page = visit("orders/" + id);
        List<String> sent = new CopyOnWriteArrayList<>();
        page.onRequest(request -> {
            if (request.method().equals("PATCH")) {
                sent.add(request.postData());
            }
        });
        Locator deadline = page.getByLabel("Deadline");
        Locator due = page.locator(".sheet .due").first();
        String before = due.textContent();
        deadline.fill("2091-01-02T00:00");
        deadline.fill("2091-01-02T10:30");
        deadline.press("Enter");
        assertThat(due).not().hasText(before);
        assertThat(deadline).hasValue("2091-01-02T10:30");
        assertThat(sent).hasSize(1);
        deadline.fill("");
        deadline.blur();
        assertThat(page.locator(".sheet")).containsText("no deadline");
        assertThat(lampStore.of(id).at("deadline")).isNull();
    }

    @Test
    void failedViewIsReloadedAndKeepsItsInput() {
        String id = order("1042", Duration.ofDays(2), "{\"externalSku\":\"NEVER-SEEN\",\"quantity\":1}");
        Page page = browser().page();
        page.clock().install();
        visit(page, "orders/" + id);
        button(page, "Choose a SKU").click();
        page.getByLabel("SKU").fill("VA");
        page.route("**/v1/orders/" + id, route -> route.abort());
        page.clock().fastForward(ASKED_AGAIN);
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("cannot be reached");
        assertThat(page.locator("h1")).hasText("Order 1042");
        assertThat(page.getByLabel("SKU")).hasValue("VA");
        page.unroute("**/v1/orders/" + id);
        client.patch("/v1/orders/" + id, "{\"note\":\"in a box\"}");
        page.clock().fastForward(ASKED_AGAIN);
        assertThat(page.locator(".sheet")).containsText("in a box");
        assertThat(page.getByRole(AriaRole.ALERT)).hasCount(0);
        assertThat(page.getByLabel("SKU")).hasValue("VA");
    }

    @Test
    void readOnlyUserSeesNoActions() {
        String id = order("1042", Duration.ofDays(2), vases(2));
        Page page = visitWith("orders/" + id, "order.view");
        assertThat(page.locator("h1")).hasText("Order 1042");
        assertThat(page.locator(".orders button")).hasCount(0);
        assertThat(page.locator(".orders input")).hasCount(0);
    }
}
