package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.KeptConnection;
import java.io.IOException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Tests the view that says how to add the farm to a slicer. */
final class ConsoleSlicersTest extends ConsoleVisit {

    @Test
    void addressAndKeyThatTheViewShowsConnectASlicer() throws IOException {
        Page page = visit("setup");
        page.getByRole(AriaRole.LINK, named("Slicer")).click();
        assertThat(page.locator("h1")).hasText("Add to your slicer");
        String address = page.locator(".walllink code").innerText();
        assertThat(address).startsWith("http").endsWith("/print-hosts/any");
        assertThat(page.getByRole(AriaRole.IMG, named("Code of the address"))).isVisible();
        assertThat(page.getByRole(AriaRole.HEADING, named("PrusaLink"))).isVisible();
        assertThat(page.getByText("not user and password")).isVisible();
        button(page, "Create a key for slicers").click();
        String key = page.locator(".secret[role=status] code").innerText();
        opensToAll(page);
        try (KeptConnection connection = new KeptConnection()) {
            assertThat(connection
                            .send(
                                    new byte[0],
                                    "GET /print-hosts/any/api/version HTTP/1.1",
                                    "Host: farm",
                                    "X-Api-Key: " + key)
                            .text())
                    .contains("OctoPrint");
        }
        assertThat(client.get("/v1/api-keys?name=Slicer").at("[0].permissions"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .containsExactlyInAnyOrder("part.create", "job.create", "part.view");
    }

    @Test
    void userWhoMayCreateNoKeysIsToldToAskForOne() {
        Page page = visitWith("slicers", "part.create", "part.view");
        assertThat(page.getByText("Ask someone who may create API keys")).isVisible();
        assertThat(button(page, "Create a key for slicers")).hasCount(0);
    }
}
