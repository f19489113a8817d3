package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.KeptConnection;
import farm.gantry.api.fixture.Socket;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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
    void addressAndCodeAreThoseOfTheChosenPrinters() throws IOException {
        FakeAgent agent = new FakeAgent(store, new Socket());
        String printer = agent.printer("Shelf 3", ",\"tags\":[\"abs & pc\"],\"modelName\":\"Voron 2.4\"");
        Page page = visit("slicers");
        Locator printers = page.locator(".filters select");
        Locator address = page.locator(".walllink code");
        Locator code =
                page.getByRole(AriaRole.IMG, named("Code of the address")).locator("path.ink");
        Set<String> codes = new HashSet<>(Set.of(String.valueOf(code.getAttribute("d"))));
        Map<String, String> targets = Map.of(
                "Shelf 3", "printer-" + printer, "abs & pc", "tag-abs%20%26%20pc", "Voron 2.4", "model-Voron%202.4");
        for (Map.Entry<String, String> target : targets.entrySet()) {
            printers.selectOption(new SelectOption().setLabel(target.getKey()));
            assertThat(address).containsText("/print-hosts/" + target.getValue());
            assertThat(codes.add(String.valueOf(code.getAttribute("d"))))
                    .as("the code differs from the others")
                    .isTrue();
            String path = address.innerText().replaceFirst("^https?://[^/]+", "");
            try (KeptConnection connection = new KeptConnection()) {
                assertThat(connection
                                .send(
                                        new byte[0],
                                        "GET " + path + "/api/version HTTP/1.1",
                                        "Host: farm",
                                        "X-Api-Key: " + store.key())
                                .status())
                        .isEqualTo(200);
            }
        }
        printers.selectOption("");
        assertThat(address).containsText("/print-hosts/any");
    }

    @Test
    void userWhoMayCreateNoKeysIsToldToAskForOne() {
        Page page = visitWith("slicers", "part.create", "part.view");
        assertThat(page.getByText("Ask someone who may create API keys")).isVisible();
        assertThat(button(page, "Create a key for slicers")).hasCount(0);
    }
}
