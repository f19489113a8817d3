package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** Tests the reference page in a real browser. */
final class ReferencePageTest extends ConsoleVisit {
    @Test
    void everyOperationIsShownUnderItsTag() {
        Page page = browser().page();
        page.navigate(SharedApi.url() + "/reference");
        Locator body = page.locator("body");
        assertThat(body).containsText("Gantry");
        assertThat(body).containsText("Printer throttle groups");
    }

    @Test
    void operationIsOpenedByItsUrl() {
        Page page = browser().page();
        page.navigate(SharedApi.url() + "/reference#/Macros/createMacro");
        Locator body = page.locator("body");
        assertThat(body).containsText("Needs macro.create");
        assertThat(body).containsText("x-permission");
        assertThat(body).containsText("Try it out");
        assertThat(body).containsText("\"gcode\": \"G28\"");
    }
}
