package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every relative link of a document leads to a file, and to a heading if it has an anchor. */
final class DocumentLinksTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Set<String> GENERATED = Set.of("node_modules", "target", ".git", ".vitepress", ".gantry");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^()\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```|`[^`\\n]*`");
    private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?) *$");
    private static final Pattern NOT_IN_ANCHOR = Pattern.compile("[^\\p{L}\\p{N} _-]");

    @Test
    void everyRelativeLinkHasItsFileAndHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        List<Path> documents = documents();
        for (Path document : documents) {
            String text = CODE.matcher(Files.readString(document)).replaceAll("");
            LINK.matcher(text)
                    .results()
                    .map(link -> link.group(1))
                    .filter(link -> !isReachable(document, link))
                    .forEach(link -> broken.add(ROOT.relativize(document) + ": " + link));
        }
        assertThat(documents).hasSizeGreaterThan(80);
        assertThat(broken).isEmpty();
    }

    @Test
    void headingAnchorsFollowTheRulesOfCodeHosts() {
        assertThat(anchors("# Back up\n## What it can't do: `PUT /v1/printers`\n## Back up\n```\n# no heading\n```\n"))
                .containsExactlyInAnyOrder("back-up", "what-it-cant-do-put-v1printers", "back-up-1");
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> Stream.of(ROOT.relativize(file).toString().split("/", -1))
                            .noneMatch(GENERATED::contains))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isReachable(Path document, String link) {
        URI uri = URI.create(link);
        if (uri.isAbsolute() || link.startsWith("/")) {
            return true;
        }
        String path = uri.getPath();
        Path target = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        return Files.exists(target) && (uri.getFragment() == null || hasHeading(target, uri.getFragment()));
    }

    private static boolean hasHeading(Path target, String anchor) {
        try {
            return anchors(Files.readString(target)).contains(anchor);
        } catch (IOException e) {
            throw new AssertionError(target + " cannot be read", e);
        }
    }

    /** Returns the anchors of the headings; a repeated heading gets a number. */
    private static Set<String> anchors(String text) {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> repeated = new HashMap<>();
        HEADING.matcher(FENCE.matcher(text).replaceAll("")).results().forEach(heading -> {
            String words = heading.group(1).replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1");
            String anchor = NOT_IN_ANCHOR
                    .matcher(words.toLowerCase(Locale.ROOT))
                    .replaceAll("")
                    .replace(' ', '-');
            int earlier = repeated.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
        });
        return anchors;
    }
}
