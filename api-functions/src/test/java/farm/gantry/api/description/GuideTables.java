package farm.gantry.api.description;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Tables of the API guide, which the description repeats. */
final class GuideTables {
    private static final Path GUIDE = Path.of("../infra/docs/api");

    private GuideTables() {}

    /** Returns the cells of each row of the page's tables that has this number of columns. */
    static List<List<String>> rows(String page, int columns) {
        try (Stream<String> lines = Files.lines(GUIDE.resolve(page))) {
            return lines.filter(line -> line.startsWith("| ") && line.endsWith("|"))
                    .map(line -> Arrays.stream(
                                    line.substring(1, line.length() - 1).split("\\|", -1))
                            .map(String::strip)
                            .toList())
                    .filter(cells -> cells.size() == columns)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
