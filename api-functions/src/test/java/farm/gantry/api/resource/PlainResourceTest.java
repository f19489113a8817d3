package farm.gantry.api.resource;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.contract.BulkContract;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Socket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests that a resource made by the recipe in CONTRIBUTING, of only a record, a table and a path, works as every
 * resource.
 */
final class PlainResourceTest implements BulkContract {
    /** The files of the recipe; a new group of permissions is four further words. */
    private static final List<Path> FILES = List.of(
            Path.of("src/test/java/farm/gantry/material/Shelf.java"),
            Path.of("src/test/resources/example/shelf.sql"),
            Path.of("src/test/java/farm/gantry/api/material/Shelves.java"));

    @Override
    public Host host() {
        return new Socket();
    }

    @Override
    public String path() {
        return "/example/shelves";
    }

    @Override
    public String body() {
        return "{\"name\":\"wipe\"}";
    }

    @Override
    public Map<String, Object> defaults() {
        return Map.of("description", "null", "places", "1");
    }

    @Test
    void plainResourceHasAtMostSeventyLines() throws IOException {
        int lines = 0;
        for (Path file : FILES) {
            lines += Files.readAllLines(file).size();
        }
        assertThat(lines).isLessThanOrEqualTo(70);
    }
}
