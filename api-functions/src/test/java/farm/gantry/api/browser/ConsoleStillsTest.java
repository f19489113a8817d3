package farm.gantry.api.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.AriaRole;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Socket;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** Tests camera images on the fleet and printer pages, and the wall display. */
final class ConsoleStillsTest extends ConsoleVisit {
    /** The interval in milliseconds at which images and the wall display are requested again. */
    private static final int EVERY = 10_000;

    private static final int WALL_EVERY = 15_000;

    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    /** Returns a JPEG of a bed with an object of this colour. */
    static byte[] bed(Color color, int width, int height) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D drawing = image.createGraphics();
        drawing.setColor(new Color(58, 62, 70));
        drawing.fillRect(0, 0, width, height);
        drawing.setColor(new Color(120, 116, 96));
        drawing.fillPolygon(
                new int[] {width / 5, width * 4 / 5, width, 0}, new int[] {height / 2, height / 2, height, height}, 4);
        drawing.setColor(color);
        drawing.fillRoundRect(width * 2 / 5, height / 3, width / 5, height * 2 / 5, width / 20, width / 20);
        drawing.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "jpeg", bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static Locator tile(Page page, String name) {
        return page.locator(".tile", new Page.LocatorOptions().setHasText(name));
    }

    private Map<String, Object> fault(String printer) {
        return fakeAgent.report(
                printer,
                "error",
                Map.of(),
                List.of(),
                Map.of("errors", List.of(Map.of("code", "1", "message", "Nozzle is clogged"))));
    }

    @Test
    void tileShowsTheCameraImage() {
        String seen = fakeAgent.printer("Ada 1", "");
        fakeAgent.printer("Bob 2", ", \"printerCapabilityPatch\": {\"cameras\": []}");
        Page page = browser().page();
        page.clock().install();
        visit(page, "");
        assertThat(tile(page, "Ada 1")).isVisible();
        page.waitForResponse(Pattern.compile("/v1/printers/snapshots"), () -> {});
        fakeAgent.still(seen, 320, bed(Color.ORANGE, 320, 180));
        page.clock().fastForward(EVERY);
        tile(page, "Ada 1").locator("img[src^='blob:']").waitFor();
        assertThat(tile(page, "Ada 1").locator("img").evaluate("async (img) => (await img.decode(), img.naturalWidth)"))
                .isEqualTo(320);
        assertThat(tile(page, "Bob 2").locator("img")).hasCount(0);
        opensToAll(page);
        page.setViewportSize(1280, 800);
        page.waitForResponse(
                Pattern.compile("/snapshot\\?full=true"),
                () -> tile(page, "Ada 1").getByRole(AriaRole.LINK).click());
        assertThat(page.getByText("Waiting for its picture")).isVisible();
        fakeAgent.still(seen, 0, bed(Color.ORANGE, 1280, 720));
        page.locator(".camera img").waitFor();
        assertThat(page.locator(".camera img").evaluate("async (img) => (await img.decode(), img.naturalWidth)"))
                .isEqualTo(1280);
        opensToAll(page);
    }

    @Test
    void imagesAreRequestedTogetherForVisibleTilesOnly() {
        for (int i = 0; i < 40; i++) {
            fakeAgent.printer("Printer " + i, "");
        }
        List<String> requests = new CopyOnWriteArrayList<>();
        Page page = browser().page();
        page.onRequest(request -> {
            if (request.url().contains("/snapshots")) {
                requests.add(request.url());
            }
        });
        visit(page, "");
        assertThat(page.locator(".tile")).hasCount(40);
        int width = page.viewportSize().width;
        page.setViewportSize(width, 400);
        requests.clear();
        page.waitForRequest(Pattern.compile("/v1/printers/snapshots"), () -> {});
        page.waitForRequest(Pattern.compile("/v1/printers/snapshots"), () -> {});
        assertThat(requests).hasSizeLessThanOrEqualTo(3);
        assertThat(requests.getLast().split(",", -1).length).isBetween(4, 30);
    }

    @Test
    void wallLinkOpensOnlyTheWall() {
        String broken = fakeAgent.printer("Ada 1", "");
        String idle = fakeAgent.printer("Bob 2", "");
        fakeAgent.exchange(List.of(), List.of(), List.of(fault(broken)));
        Page setup = visit("setup");
        button(setup, "Create a link for a screen").click();
        String link = setup.locator(".walllink code").textContent();
        Object farm = fakeAgent.client().get("/v1/web-init").at("address");
        assertThat(link).startsWith(farm + "/console/wall#key=");
        assertThat(setup.getByLabel("Code of the link")).isVisible();
        opensToAll(setup);

        Page wall = browser().page();
        wall.clock().install();
        List<String> requests = new CopyOnWriteArrayList<>();
        wall.onRequest((Request request) -> requests.add(request.url()));
        wall.navigate(link);
        assertThat(wall.locator(".screen h2")).hasText(new String[] {"Ada 1", "Bob 2"});
        assertThat(wall.locator(".screen .state")).hasText(new String[] {"Fault", "Ready"});
        assertThat(wall.getByText("1 printer needs attention")).isVisible();
        assertThat(wall.url()).isEqualTo(farm + "/console/wall");
        wall.waitForResponse(Pattern.compile("/v1/wall/stills"), () -> {});
        fakeAgent.still(idle, 320, bed(Color.CYAN, 320, 180));
        wall.clock().fastForward(WALL_EVERY);
        wall.locator(".screen img").waitFor();
        assertThat(requests.stream()
                        .filter(each -> each.contains("/v1/"))
                        .map(each -> each.replaceAll(".*/v1/|\\?.*", "")))
                .containsOnly("sessions", "web-init", "sessions/current", "wall", "wall/stills");
        assertThat(wall.context().cookies().getFirst().expires)
                .isGreaterThan((double) Instant.now().plus(Duration.ofDays(390)).getEpochSecond());
        opensToAll(wall);
        wall.setViewportSize(1280, 800);
        wall.waitForFunction("() => document.documentElement.scrollHeight <= innerHeight");
        wall.navigate(farm + "/console/queue");
        assertThat(wall).hasURL(farm + "/console/wall");

        String key = client.get("/v1/api-keys?name=Wall").each("id").getFirst();
        client.delete("/v1/api-keys/" + key);
        wall.clock().fastForward(WALL_EVERY);
        assertThat(button(wall, "Sign in")).isVisible();
    }
}
