package farm.gantry.api.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.impl.driver.Driver;
import farm.gantry.Sha256;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import io.micronaut.json.tree.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Checks the source files of the console. */
@Execution(ExecutionMode.CONCURRENT)
final class ConsoleSourcesTest {
    private static final Path SOURCES = Path.of("src/main/resources/console");
    private static final int MAX_BYTES_AT_START = 75_000;
    private static final int MAX_BYTES_OF_A_VIEW = 30_000;
    private static final Pattern IMPORT = Pattern.compile("\\bfrom ?\"([\\w@./-]+)\"");
    private static final Pattern VIEW = Pattern.compile("import\\(\"\\./(\\w+\\.js)\"\\)");

    private static List<String> lines() throws IOException {
        return Files.readAllLines(SOURCES.resolve("files.txt"));
    }

    private static List<String> listed() throws IOException {
        return lines().stream().filter(name -> !name.isEmpty()).toList();
    }

    /** Returns the files the page loads at start; views fetch the rest when needed. */
    private static List<String> listedForTheStart() throws IOException {
        return lines().stream().takeWhile(name -> !name.isEmpty()).toList();
    }

    @Test
    void everyFileIsListed() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> SOURCES.relativize(file).toString()))
                    .hasSameElementsAs(Stream.concat(listed().stream(), Stream.of("files.txt", "index.html"))
                            .toList());
        }
    }

    @Test
    void vendoredFilesAreUnmodifiedAndLicensed() throws IOException {
        Path vendor = SOURCES.resolve("vendor");
        List<String> known = new ArrayList<>(List.of("vendored.json"));
        JsonNode list = Answer.tree(Files.readAllBytes(vendor.resolve("vendored.json")));
        for (JsonNode each : list.values()) {
            String file = each.get("file").getStringValue();
            String licence = each.get("licenseFile").getStringValue();
            known.addAll(List.of(file, licence));
            assertThat(HexFormat.of().formatHex(Sha256.digest().digest(Files.readAllBytes(vendor.resolve(file)))))
                    .as(file)
                    .isEqualTo(each.get("sha256").getStringValue());
            assertThat(each.get("version").getStringValue()).matches("\\d+\\.\\d+\\.\\d+");
            assertThat(vendor.resolve(licence)).isNotEmptyFile();
        }
        try (Stream<Path> files = Files.list(vendor)) {
            assertThat(files.map(file -> file.getFileName().toString())).hasSameElementsAs(known);
        }
    }

    /**
     * Finds texts outside {@code t()} with the TypeScript parser of a webjar, and compares the others with the catalogue, which
     * {@code -Dtexts=write} writes.
     */
    @Test
    void textsAreInTheCatalogue(@TempDir Path folder) throws IOException, InterruptedException {
        Path parser = folder.resolve("typescript.cjs");
        try (InputStream in = Objects.requireNonNull(
                getClass().getResourceAsStream("/META-INF/resources/webjars/typescript/5.9.3/lib/typescript.js"))) {
            Files.copy(in, parser);
        }
        List<String> arguments = new ArrayList<>(List.of(
                "src/test/resources/console/texts.mjs",
                parser.toString(),
                SOURCES.toString(),
                "src/test/resources/console/texts.json"));
        if ("write".equals(System.getProperty("texts"))) {
            arguments.add("write");
        }
        runNode(arguments.toArray(String[]::new));
    }

    /** Runs the tests of pure rules, without a browser. */
    @Test
    void rulesPassTheirTests() throws IOException, InterruptedException {
        List<String> tests;
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/console/rules"))) {
            tests = files.map(Path::toString).sorted().toList();
        }
        runNode(Stream.concat(Stream.of("--test"), tests.stream()).toArray(String[]::new));
    }

    /** Runs the Node.js of Playwright, and fails with what it wrote when it fails. */
    private static void runNode(String... arguments) throws IOException, InterruptedException {
        String node = Driver.ensureDriverInstalled(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"), false)
                .driverDir()
                .resolve("node")
                .toString();
        Process process = new ProcessBuilder(
                        Stream.concat(Stream.of(node), Stream.of(arguments)).toList())
                .redirectErrorStream(true)
                .start();
        String faults = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(faults).isZero();
    }

    /** A module that the start imports and that is not preloaded is waited for twice; one preloaded for nothing is loaded by all. */
    @Test
    void onlyStartFilesArePreloaded() throws IOException {
        assertThat(listedForTheStart().stream().filter(name -> name.endsWith(".js")))
                .containsExactlyInAnyOrderElementsOf(importedBy("main.js"));
    }

    /** Returns the module and all that it imports, directly or not, before it runs. */
    private static Set<String> importedBy(String module) throws IOException {
        JsonNode names = Answer.tree(Client.utf8(Files.readString(SOURCES.resolve("index.html"))
                        .replaceFirst("(?s).*<script type=\"importmap\">(.*?)</script>.*", "$1")))
                .get("imports");
        Set<String> found = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(module));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (found.add(next)) {
                Matcher imported = IMPORT.matcher(Files.readString(SOURCES.resolve(next)));
                while (imported.find()) {
                    String name = imported.group(1);
                    open.push(
                            name.startsWith("./")
                                    ? name.substring(2)
                                    : names.get(name).getStringValue().replace("/console/{version}/", ""));
                }
            }
        }
        return found;
    }

    private static int bytesOnTheWire(Collection<String> names) throws IOException {
        int bytes = 0;
        for (String name : names) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (OutputStream out = new GZIPOutputStream(packed)) {
                Files.copy(SOURCES.resolve(name), out);
            }
            bytes += packed.size();
        }
        return bytes;
    }

    @Test
    void startAndViewsStayWithinTheirSizeLimits() throws IOException {
        assertThat(bytesOnTheWire(listedForTheStart().stream()
                        .filter(name -> name.endsWith(".js") || name.endsWith(".css"))
                        .toList()))
                .as("the start")
                .isLessThan(MAX_BYTES_AT_START);
        List<String> views = VIEW.matcher(Files.readString(SOURCES.resolve("main.js")))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(views).isNotEmpty();
        for (String view : views) {
            Set<String> more = importedBy(view);
            listedForTheStart().forEach(more::remove);
            assertThat(bytesOnTheWire(more)).as(view).isLessThan(MAX_BYTES_OF_A_VIEW);
        }
    }
}
