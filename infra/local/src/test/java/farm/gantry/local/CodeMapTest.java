package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The code map lists each package with the sentence of its package-info.java. */
class CodeMapTest {
    private static final Path ROOT = Path.of("../..");
    private static final Path CODE_MAP = ROOT.resolve(".github/code-map.md");
    private static final String HEAD = """
            # Code map

            One line for each package, from its `package-info.java`. A test writes and compares this page:
            `infra/test CodeMapTest -Dcode-map=write`.

            | package | what is in it |
            |---|---|
            """;
    private static final Pattern PACKAGE_INFO =
            Pattern.compile("(?s)/\\*\\*\\s*(.*?)\\s*\\*/.*?^package ([\\w.]+);", Pattern.MULTILINE);

    @Test
    void codeMapListsTheSentenceOfEachPackage() throws IOException {
        String expected = HEAD
                + sentences().entrySet().stream()
                        .map(line -> "| `" + line.getKey() + "` | " + line.getValue() + " |\n")
                        .collect(Collectors.joining());
        if ("write".equals(System.getProperty("code-map"))) {
            Files.writeString(CODE_MAP, expected);
        }
        assertThat(CODE_MAP)
                .as("run infra/test CodeMapTest -Dcode-map=write")
                .content()
                .isEqualTo(expected);
    }

    @Test
    void everyPackageHasAPackageInfo() throws IOException {
        List<String> without = sources()
                .map(Path::getParent)
                .distinct()
                .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                .map(Path::toString)
                .toList();
        assertThat(without).isEmpty();
    }

    private static Map<String, String> sentences() throws IOException {
        Map<String, String> sentences = new TreeMap<>();
        for (Path file :
                sources().filter(path -> path.endsWith("package-info.java")).toList()) {
            Matcher info = PACKAGE_INFO.matcher(Files.readString(file));
            assertThat(info.find()).as("%s", file).isTrue();
            sentences.put(info.group(2), info.group(1).replaceAll("\\s*\\n\\s*\\*\\s*", " "));
        }
        return sentences;
    }

    private static Stream<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files
                    .filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> path.toString().contains("/src/main/java/"))
                    .filter(path -> !path.toString().contains("/target/"))
                    .toList()
                    .stream();
        }
    }
}
