package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Host;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Tests the security policy and the caching of the console's files. */
public interface ConsoleFilesContract {
    Host host();

    private Answer get(String path, Map<String, String> headers) {
        try {
            return host().send(new Call("GET", path, List.copyOf(headers.entrySet()), new byte[0]));
        } catch (Exception e) {
            throw new AssertionError(path, e);
        }
    }

    private String asset(String name) {
        Matcher found = Pattern.compile("/console/[0-9a-f]{16}/" + Pattern.quote(name))
                .matcher(get("/console/", Map.of()).text());
        assertThat(found.find()).as(name).isTrue();
        return found.group();
    }

    @Test
    default void everyViewReturnsThePageWithARevalidatedCache() {
        for (String path : List.of("/console", "/console/", "/console/queue", "/console/printers/x")) {
            Answer page = get(path, Map.of());
            assertThat(page.status()).as(path).isEqualTo(200);
            assertThat(page.header("content-type")).startsWith("text/html");
            assertThat(page.header("cache-control")).isEqualTo("no-cache");
            String tag = Objects.requireNonNull(page.header("etag"));
            assertThat(get(path, Map.of("if-none-match", tag)).status()).isEqualTo(304);
        }
    }

    @Test
    default void contentSecurityPolicyAllowsOnlyTheImportMapInline() {
        Answer page = get("/console/", Map.of());
        String policy = Objects.requireNonNull(page.header("content-security-policy"));
        assertThat(policy)
                .startsWith("default-src 'none'; script-src 'self' 'sha256-")
                .contains(
                        "style-src 'self';",
                        "base-uri 'none'",
                        "frame-ancestors 'none'",
                        "require-trusted-types-for 'script'")
                .doesNotContain("unsafe");
        assertThat(page.text().replaceAll("(?s)<script type=\"importmap\">.*?</script>", ""))
                .doesNotContainPattern("<script(?![^>]* src=)")
                .doesNotContain("<style", " style=", " onclick=", "{version}", "{preloads}");
    }

    @Test
    default void versionedFileIsImmutableAndCompressed() throws IOException {
        for (String name : List.of("main.js", "console.css", "vendor/preact.js")) {
            String path = asset(name);
            Answer plain = get(path, Map.of());
            assertThat(plain.status()).isEqualTo(200);
            assertThat(plain.header("cache-control")).isEqualTo("public, max-age=31536000, immutable");
            assertThat(plain.header("content-type")).startsWith(name.endsWith("css") ? "text/css" : "text/javascript");
            assertThat(plain.header("x-content-type-options")).isEqualTo("nosniff");
            Answer packed = get(path, Map.of("accept-encoding", "gzip"));
            assertThat(packed.header("content-encoding")).as(name).isEqualTo("gzip");
            assertThat(new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes())
                    .isEqualTo(plain.body());
        }
    }

    @Test
    default void unlistedFileIsNotServed() {
        String main = asset("main.js");
        for (String path : List.of(
                main.replaceFirst("main.js", "index.html"),
                main.replaceFirst("main.js", "files.txt"),
                main.replaceFirst("main.js", "..%2F..%2Fapplication.yml"),
                "/console/0000000000000000/main.js")) {
            assertThat(get(path, Map.of()).status()).as(path).isEqualTo(404);
        }
    }
}
