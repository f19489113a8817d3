package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Socket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how a user arranges and resizes the tiles of the fleet, and chooses notifications. */
final class ConsoleFleetTest extends ConsoleVisit {
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    private static Locator tile(Page page, String name) {
        return page.locator(".tile", new Page.LocatorOptions().setHasText(name));
    }

    private static void stand(Page page, String... names) {
        assertThat(page.locator(".tile h2")).hasText(names);
    }

    private Page begins() {
        for (String name : List.of("Ada 1", "Bob 2", "Cleo 3", "Dora 4")) {
            fakeAgent.printer(name, "");
        }
        Page page = visit("");
        stand(page, "Ada 1", "Bob 2", "Cleo 3", "Dora 4");
        page.getByRole(AriaRole.COMBOBOX, named("Order")).selectOption("new");
        page.getByLabel("Name of the arrangement").fill("Shelf");
        button(page, "Begin").click();
        assertThat(button(page, "Done")).isVisible();
        return page;
    }

    private List<String> kept() {
        Answer layout = client.get("/v1/layouts");
        return IntStream.range(0, 4)
                .mapToObj(i -> String.valueOf(
                        client.get("/v1/printers/" + layout.at("[0].definition.cards[" + i + "].entityId"))
                                .at("name")))
                .toList();
    }

    @Test
    void tilesAreArrangedByPointerAndTheOrderIsStored() {
        Page page = begins();
        BoundingBox first = Objects.requireNonNull(tile(page, "Ada 1").boundingBox());
        tile(page, "Cleo 3").locator(".part").hover();
        page.mouse().down();
        page.mouse().move(first.x + 40, first.y + 40);
        page.mouse().move(first.x + 20, first.y + 40);
        assertThat(tile(page, "Ada 1")).hasAttribute("data-drop", "before");
        page.waitForResponse(
                answer -> answer.request().method().equals("PATCH"),
                () -> page.mouse().up());
        stand(page, "Cleo 3", "Ada 1", "Bob 2", "Dora 4");
        assertThat(kept()).containsExactly("Cleo 3", "Ada 1", "Bob 2", "Dora 4");
        assertThat(client.get("/v1/layouts").at("[0].userId")).isEqualTo("Ada");
        button(page, "Done").click();
        page.reload();
        stand(page, "Cleo 3", "Ada 1", "Bob 2", "Dora 4");
        page.getByRole(AriaRole.COMBOBOX, named("Order")).selectOption("");
        stand(page, "Ada 1", "Bob 2", "Cleo 3", "Dora 4");
        opensToAll(page);
    }

    @Test
    void tilesAreArrangedByKeyboardAndRevertedOnError() {
        Page page = begins();
        tile(page, "Ada 1").focus();
        page.keyboard().press("Enter");
        page.waitForResponse(
                answer -> answer.request().method().equals("PATCH"),
                () -> page.keyboard().press("ArrowRight"));
        stand(page, "Bob 2", "Ada 1", "Cleo 3", "Dora 4");
        assertThat(page.locator(".tile:focus")).containsText("Ada 1");
        assertThat(kept()).containsExactly("Bob 2", "Ada 1", "Cleo 3", "Dora 4");
        page.route("**/v1/layouts/*", route -> route.abort());
        page.keyboard().press("End");
        says(page, "cannot be reached");
        stand(page, "Bob 2", "Ada 1", "Cleo 3", "Dora 4");
        page.unroute("**/v1/layouts/*");
        page.keyboard().press("Enter");
        page.keyboard().press("ArrowRight");
        assertThat(page.locator(".tile:focus")).containsText("Cleo 3");
        opensToAll(page);
        pressAndConfirm(page, "Delete");
        says(page, "Shelf is gone");
        stand(page, "Ada 1", "Bob 2", "Cleo 3", "Dora 4");
        assertThat(client.get("/v1/layouts").text()).isEqualTo("[]");
    }

    @Test
    void tileSizeIsRemembered() {
        fakeAgent.printer("Ada 1", "");
        Page page = visit("");
        double medium = Objects.requireNonNull(tile(page, "Ada 1").boundingBox()).height;
        for (String size : List.of("large", "small")) {
            page.getByRole(AriaRole.COMBOBOX, named("Tiles")).selectOption(size);
            page.reload();
            assertThat(page.locator(".tiles")).hasAttribute("data-size", size);
            opensToAll(page);
        }
        assertThat(Objects.requireNonNull(tile(page, "Ada 1").boundingBox()).height)
                .isLessThan(medium);
    }

    @Test
    void onlySelectedNotificationsAreShown() {
        String id = fakeAgent.printer("Ada 1", "");
        Page page = browser().page();
        page.context().grantPermissions(List.of("notifications"));
        page.addInitScript("window.seen = [];"
                + " window.Notification = class extends Notification { constructor(title, more) { super(title, more);"
                + " seen.push(title); } };");
        visit(page, "");
        assertThat(tile(page, "Ada 1")).containsText("Ready");
        page.getByText("Notifications").click();
        page.getByRole(AriaRole.CHECKBOX, named("Faults")).check();
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(
                        id,
                        "error",
                        Map.of(),
                        List.of(),
                        Map.of("errors", List.of(Map.of("code", "E1", "message", "Nozzle too cold"))))));
        assertThat(tile(page, "Ada 1")).containsText("Nozzle too cold");
        page.waitForFunction("() => seen.length === 1");
        assertThat(page.evaluate("() => seen[0]")).isEqualTo("Ada 1: Fault");
        assertThat(page.evaluate("() => Notification.permission")).isEqualTo("granted");
        opensToAll(page);
    }
}
