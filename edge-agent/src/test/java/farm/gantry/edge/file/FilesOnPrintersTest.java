package farm.gantry.edge.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesOnPrintersTest {
    @TempDir
    Path data;

    @Test
    void filesOnPrintersAreRememberedAfterARestart() {
        FilesOnPrinters files = FilesOnPrinters.load(data);
        files.add("one", "a.gcode");
        files.add("one", "b.gcode");
        files.add("one", "b.gcode");
        files.add("other", "a.gcode");
        files.remove("one", "a.gcode");
        files.remove("one", "never there.gcode");

        FilesOnPrinters next = FilesOnPrinters.load(data);

        assertThat(next.filesOf("one")).containsExactly("b.gcode");
        assertThat(next.filesOf("other")).containsExactly("a.gcode");
    }

    @Test
    void oldestFilesAreForgottenAboveTheLimit() {
        FilesOnPrinters files = FilesOnPrinters.load(data);
        files.add("other", "a.gcode");
        List<String> names = IntStream.rangeClosed(0, FilesOnPrinters.MAX_COUNT)
                .mapToObj(i -> i + ".gcode")
                .toList();

        names.forEach(name -> files.add("one", name));

        assertThat(files.filesOf("one")).isEqualTo(names.subList(1, names.size()));
        assertThat(files.filesOf("other")).containsExactly("a.gcode");
    }

    @Test
    void unreadableOrUnwritableRecordIsIgnored() throws Exception {
        FilesOnPrinters.load(data).add("one", "a.gcode");
        try (Stream<Path> recorded = Files.list(data)) {
            Files.writeString(recorded.findFirst().orElseThrow(), "[{\"deviceId\":");
        }
        assertThat(FilesOnPrinters.load(data).filesOf("one")).isEmpty();

        FilesOnPrinters nowhere = FilesOnPrinters.load(data.resolve("absent"));
        nowhere.add("one", "a.gcode");
        assertThat(nowhere.filesOf("one")).containsExactly("a.gcode");
    }
}
