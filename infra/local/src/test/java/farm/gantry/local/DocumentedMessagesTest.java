package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The messages in the tables of the documentation are those of the code. A message is compared in parts, between its
 * variable words, which the documentation writes as {@code …}.
 */
final class DocumentedMessagesTest {
    private static final Path ROOT = Path.of("../..");
    private static final List<String> FOLDERS = List.of("infra/docs/printers", "infra/docs/operate");
    private static final List<String> SOURCES =
            List.of("edge-agent/src/main", "api-functions", "ingest-worker/src/main");
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern MESSAGE = Pattern.compile("`([^`]+)`");
    private static final Pattern VARIABLE = Pattern.compile("…|: |[(),;]|\\d+|GANTRY_[A-Z_]+|gantry\\.[a-z.]+| delete");
    private static final int MIN_PART_LENGTH = 8;

    @Test
    void documentedMessagesExistInTheCode() throws IOException {
        String code = code();
        List<String> messages = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (Path page : files(FOLDERS, ".md")) {
            for (String message : messages(Files.readString(page))) {
                messages.add(message);
                VARIABLE.splitAsStream(message)
                        .map(String::strip)
                        .filter(part -> part.length() >= MIN_PART_LENGTH && !code.contains(part))
                        .forEach(part -> unknown.add(page.getFileName() + ": " + part));
            }
        }
        assertThat(messages).hasSizeGreaterThan(120);
        assertThat(unknown).isEmpty();
    }

    /** Returns the messages in the first column of tables whose heading is "message". */
    private static List<String> messages(String page) {
        List<String> messages = new ArrayList<>();
        boolean inTable = false;
        for (String line : page.lines().toList()) {
            inTable = line.startsWith("| message") || (inTable && line.startsWith("|"));
            if (inTable && line.startsWith("| `")) {
                MESSAGE.matcher(line.substring(0, line.indexOf(" | ")))
                        .results()
                        .forEach(message -> messages.add(message.group(1)));
            }
        }
        return messages;
    }

    private static String code() throws IOException {
        StringBuilder code = new StringBuilder();
        for (Path source : files(SOURCES, ".java")) {
            if (source.toString().contains("/src/main/")) {
                code.append(CONCATENATION.matcher(Files.readString(source)).replaceAll(""));
            }
        }
        return code.toString();
    }

    private static List<Path> files(List<String> folders, String extension) throws IOException {
        List<Path> all = new ArrayList<>();
        for (String folder : folders) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(extension)).forEach(all::add);
            }
        }
        return all;
    }
}
