package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Socket;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the page that shows what views are made of. */
final class ConsolePrimitivesTest extends ConsoleVisit {

    @Test
    void everyPrimitiveIsShownAndAccessible() {
        new FakeAgent(store, new Socket()).printer("Ada 1", "");
        Page page = visit("primitives");
        for (String name : List.of(
                "Button",
                "Row and list",
                "Dialog",
                "Menu",
                "Toast",
                "Stat",
                "Form section",
                "Tabs",
                "Table",
                "Chart",
                "Empty state")) {
            assertThat(page.getByRole(
                            AriaRole.HEADING, new Page.GetByRoleOptions().setName(Pattern.compile("^" + name + " "))))
                    .isVisible();
        }
        opensToAll(page);
        button(page, "Dark").click();
        assertThat(page.locator(".primitives")).hasCSS("background-color", "rgb(20, 23, 28)");
        button(page, "Light").click();
        assertThat(page.locator(".primitives")).hasCSS("background-color", "rgb(243, 244, 246)");
        button(page, "Show one with Undo").click();
        button(page, "Undo").click();
        says(page, "It is queued again");
        pressAndConfirm(page, "Delete this part");
        says(page, "Deleted");
    }
}
