package farm.gantry.api.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Chromium that is installed on this machine; tests are skipped when there is none. */
public final class Browser implements AutoCloseable {
    private static final List<String> ARGUMENTS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private static final int MAX_ATTEMPTS = 3;

    static {
        // A machine that is busy shows late what it shows.
        PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
    }

    /** The browser that most tests share. */
    private static final class Shared {
        private static final Browser BROWSER = start();

        private static Browser start() {
            Browser browser = new Browser("--use-angle=swiftshader", "--enable-unsafe-swiftshader");
            Runtime.getRuntime().addShutdownHook(new Thread(browser::close));
            return browser;
        }
    }

    private final Playwright playwright;
    private final com.microsoft.playwright.Browser chromium;
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<Response> rejected = new CopyOnWriteArrayList<>();

    /** Starts a browser with these switches in addition to those of all tests. */
    public Browser(String... more) {
        Path installed = assumeInstalled();
        this.playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        this.chromium = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(installed)
                        .setArgs(Stream.concat(ARGUMENTS.stream(), Stream.of(more))
                                .toList()));
    }

    /** Returns the shared browser, which has WebGL and is closed after all tests. */
    static Browser shared() {
        assumeInstalled();
        return Shared.BROWSER;
    }

    private static Path assumeInstalled() {
        Optional<Path> installed = installed();
        assumeTrue(installed.isPresent(), "no Chromium is installed here");
        return installed.orElseThrow();
    }

    static Optional<Path> installed() {
        return Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .flatMap(place -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a page with its own cookies, and records the errors that the browser reports. */
    public Page page(com.microsoft.playwright.Browser.NewContextOptions options) {
        BrowserContext context = chromium.newContext(options);
        context.setDefaultTimeout(60_000);
        Page page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.text().contains("Content Security Policy")
                    || message.text().contains("TrustedHTML")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
        page.onResponse(response -> {
            if (response.status() == 400) {
                rejected.add(response);
            }
        });
        return page;
    }

    public Page page() {
        return page(new com.microsoft.playwright.Browser.NewContextOptions().setViewportSize(1280, 800));
    }

    /** Closes all pages, which would keep sending requests, and clears the recorded errors. */
    void closePages() {
        List.copyOf(chromium.contexts()).forEach(BrowserContext::close);
        complaints.clear();
        rejected.clear();
    }

    /** Returns script errors, violations of the content security policy, and requests with names that the API rejects. */
    List<String> complaints() {
        return Stream.concat(complaints.stream(), rejected.stream().flatMap(Browser::unknownNames))
                .toList();
    }

    /** Returns the request and its rejection if the request has a parameter or field that the API does not know. */
    private static Stream<String> unknownNames(Response response) {
        try {
            String body = response.text();
            return body.contains("\"unknown\"")
                    ? Stream.of(response.request().method() + " " + response.url() + " " + body)
                    : Stream.empty();
        } catch (PlaywrightException e) {
            return Stream.empty(); // The test has closed the page.
        }
    }

    /** Returns axe's accessibility violations of the page, one per line; retries when the page changed meanwhile. */
    static List<?> barriers(Page page) {
        if (!Boolean.TRUE.equals(page.evaluate("() => 'axe' in window"))) {
            page.evaluate(axe());
        }
        List<?> found = look(page);
        for (int looks = 1; !found.isEmpty() && looks < MAX_ATTEMPTS; looks++) {
            found = look(page);
        }
        return found;
    }

    private static List<?> look(Page page) {
        return (List<?>) Objects.requireNonNull(page.evaluate("""
                async () => (await axe.run()).violations
                    .flatMap((each) => each.nodes.map((node) => each.id + ": " + node.html + " " + node.failureSummary))"""));
    }

    /** Waits until nothing of the page is cut off or needs sideways scrolling. */
    static void fits(Page page) {
        page.waitForFunction("() => document.documentElement.scrollWidth <= innerWidth");
    }

    private static String axe() {
        try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        chromium.close();
        playwright.close();
    }
}
