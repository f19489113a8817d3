package farm.gantry.api.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.api.SharedApi;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The reference page, as a real browser shows it. */
@Execution(ExecutionMode.CONCURRENT)
final class ReferencePageTest {
    private static final List<String> QUIET = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            "--virtual-time-budget=30000",
            "--dump-dom");

    @Test
    void showsEveryOperationUnderItsTag(@TempDir Path folder) throws Exception {
        Shown shown = browse("/reference", folder);
        assertThat(shown.console()).doesNotContain("Content Security Policy").doesNotContain("Uncaught");
        assertThat(shown.page()).contains("Gantry").contains("Printer throttle groups");
    }

    @Test
    void opensAnOperationByItsAddress(@TempDir Path folder) throws Exception {
        Shown shown = browse("/reference#/Macros/createMacro", folder);
        assertThat(shown.console()).doesNotContain("Content Security Policy").doesNotContain("Uncaught");
        assertThat(text(shown.page()))
                .contains("Needs macro.create")
                .contains("x-permission")
                .contains("Try it out")
                .contains("Push off");
    }

    private record Shown(String page, String console) {}

    private static Shown browse(String path, Path folder) throws IOException, InterruptedException {
        Optional<Path> chromium = Stream.of(System.getenv("PATH").split(Pattern.quote(File.pathSeparator), -1))
                .flatMap(place -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(place, name)))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(chromium.isPresent(), "no Chromium is installed here");
        List<String> command = new ArrayList<>(List.of(chromium.orElseThrow().toString()));
        command.addAll(QUIET);
        command.add("--user-data-dir=" + folder.resolve("profile"));
        command.add(SharedApi.url() + path);
        Path page = folder.resolve("page.html");
        Path console = folder.resolve("console.log");
        Process browser = new ProcessBuilder(command)
                .redirectOutput(page.toFile())
                .redirectError(console.toFile())
                .start();
        try {
            assertThat(browser.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            browser.destroyForcibly();
        }
        return new Shown(Files.readString(page), Files.readString(console, StandardCharsets.ISO_8859_1));
    }

    private static String text(String page) {
        return page.replaceAll("<[^>]*>", "").replace("&quot;", "\"").replaceAll("\\s+", " ");
    }
}
