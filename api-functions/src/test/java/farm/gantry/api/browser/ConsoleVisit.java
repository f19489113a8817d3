package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Base of the console's tests: signs in a user of a new store, and fails when the page reported errors. */
@Tag("console")
abstract class ConsoleVisit {
    final SharedApi.Store store = SharedApi.newStore();
    final Client client = Client.of(new Socket(), store.key());

    @BeforeAll
    static void assumeBrowser() {
        Browser.shared();
    }

    static Browser browser() {
        return Browser.shared();
    }

    @AfterEach
    void assertNoBrowserErrors() {
        List<String> complaints = List.copyOf(browser().complaints());
        browser().closePages();
        assertThat(complaints).isEmpty();
    }

    /** Opens the view as the user Ada. */
    Page visit(String path) {
        return visit(browser().page(), path);
    }

    Page visit(Page page, String path) {
        return visit(page, client, path);
    }

    /** Opens the view of the client's store as the user Ada. */
    static Page visit(Page page, Client client, String path) {
        page.navigate(SharedApi.url() + "/console/#code="
                + client.post("/v1/sessions/codes", "{}").at("code"));
        page.getByLabel("Your name").fill("Ada");
        page.getByRole(AriaRole.BUTTON, named("Sign in")).click();
        assertThat(page.getByText("Live")).isVisible();
        page.navigate(SharedApi.url() + "/console/" + path);
        return page;
    }

    /** Opens the view with a key that has these permissions. */
    Page visitWith(String path, String... permissions) {
        String key = String.valueOf(client.post(
                        "/v1/api-keys",
                        "{\"name\":\"some\",\"permissions\":[\"" + String.join("\",\"", permissions) + "\"]}")
                .at("key"));
        Page page = browser().page();
        page.navigate(SharedApi.url() + "/console/");
        page.getByLabel("Your name").fill("Eve");
        page.getByLabel("API key").fill(key);
        page.getByRole(AriaRole.BUTTON, named("Sign in")).click();
        assertThat(page.locator(".who")).hasText("Eve");
        page.navigate(SharedApi.url() + "/console/" + path);
        return page;
    }

    static Page.GetByRoleOptions named(String name) {
        return new Page.GetByRoleOptions().setName(name).setExact(true);
    }

    static Locator button(Page page, String name) {
        return page.getByRole(AriaRole.BUTTON, named(name));
    }

    static Locator button(Page page, Pattern name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    /** Presses a button that opens a dialog, and confirms it. */
    static void pressAndConfirm(Page page, String name) {
        button(page, name).first().click();
        confirm(page);
    }

    /** Confirms the open dialog, as soon as it accepts a press. */
    static void confirm(Page page) {
        page.locator("dialog .answers button").last().click();
        assertThat(page.locator("dialog")).hasCount(0);
    }

    static void says(Page page, String text) {
        assertThat(page.locator(".said")).containsText(text);
    }

    /** Checks the accessibility of the page in dark and light mode, on a phone and a desktop. */
    static void opensToAll(Page page) {
        for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
            for (int width : List.of(390, 1280)) {
                page.setViewportSize(width, 800);
                assertThat(Browser.barriers(page)).as("%s %d", scheme, width).isEmpty();
                Browser.fits(page);
            }
        }
    }

    /** Presses the tab key until this element has the focus. */
    static void tabTo(Page page, Locator wanted) {
        for (int i = 0;
                i < 60 && !Boolean.TRUE.equals(wanted.evaluate("each => each === document.activeElement"));
                i++) {
            page.keyboard().press("Tab");
        }
        assertThat(wanted).isFocused();
    }
}
