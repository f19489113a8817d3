package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the documentation is served without a key, from the pages of {@code infra/docs}. */
public interface DocumentationContract {
    Path PAGES = Path.of("../infra/docs").toAbsolutePath();
    Pattern HREF = Pattern.compile("href=\"(/docs[^\"#]*)");

    Host host();

    private Answer get(String path) {
        return Client.of(host()).get(path);
    }

    @Test
    default void everyPageOfTheDocumentationIsServed() throws IOException {
        for (String page : pages()) {
            Answer answer = get("/docs/" + page);
            assertThat(answer.status()).as(page).isEqualTo(200);
            assertThat(answer.header("content-type")).as(page).startsWith("text/html");
            assertThat(answer.text()).as(page).contains("<h1 id=\"", "aria-current=\"page\"");
        }
    }

    private static Set<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(PAGES)) {
            return files.map(PAGES::relativize)
                    .map(Path::toString)
                    .filter(name -> name.endsWith(".md") && !name.startsWith("node_modules"))
                    .map(name -> name.substring(0, name.length() - ".md".length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    default void everyLinkOfAPageLeadsToAPage() throws IOException {
        Set<String> addresses = new TreeSet<>();
        for (String page : pages()) {
            HREF.matcher(get("/docs/" + page).text()).results().forEach(link -> addresses.add(link.group(1)));
        }
        assertThat(addresses)
                .contains("/docs/printers/klipper", "/docs/reference/configuration")
                .allSatisfy(
                        address -> assertThat(get(address).status()).as(address).isEqualTo(200))
                .noneMatch(address -> address.endsWith(".md"));
    }

    @Test
    default void folderAndMarkdownFileReturnThePage() {
        String page = get("/docs/printers").text();
        assertThat(page).contains("<title>Connect printers · Gantry</title>");
        for (String path : List.of("/docs/printers/", "/docs/printers/index", "/docs/printers/index.md")) {
            assertThat(get(path).text()).as(path).isEqualTo(page);
        }
    }

    @Test
    default void tablesAndAnchorsAreRendered() {
        String page = get("/docs/printers/klipper").text();
        assertThat(page)
                .contains("<table>", "<h2 id=\"how-it-is-identified\">", "<code class=\"language-sh\">")
                .contains("set the printer's api_key to Moonraker's API key");
    }

    @Test
    default void pageLoadsOnlyItsStyleSheet() {
        Answer page = get("/docs/printers");
        assertThat(page.header("content-security-policy"))
                .startsWith("default-src 'none'; style-src 'self';")
                .doesNotContain("unsafe", "http", "script-src");
        assertThat(page.text()).doesNotContain("<script", "<style", " style=", " onclick=");
        Answer style = get("/docs/documentation.css");
        assertThat(style.status()).isEqualTo(200);
        assertThat(style.header("content-type")).startsWith("text/css");
    }

    @Test
    default void pageIsNotModifiedWhenTheTagMatches() {
        Answer page = get("/docs/printers");
        String tag = Objects.requireNonNull(page.header("etag"));
        Answer again = Client.of(host()).with("if-none-match", tag).get("/docs/printers");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    default void unknownPathReturnsTheListOfPages() {
        for (String path :
                List.of("/docs/nothing", "/docs/pages.txt", "/docs/..%2Fapplication.yml", "/docs/none.png")) {
            Answer answer = get(path);
            assertThat(answer.status()).as(path).isEqualTo(404);
            assertThat(answer.header("content-type")).as(path).startsWith("text/html");
            assertThat(answer.text()).as(path).contains("Page not found", "href=\"/docs/printers/klipper\"");
        }
    }
}
