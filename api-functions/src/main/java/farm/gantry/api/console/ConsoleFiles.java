package farm.gantry.api.console;

import farm.gantry.Sha256;
import farm.gantry.api.http.StaticFile;
import io.micronaut.core.io.ResourceLoader;
import jakarta.inject.Singleton;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Files of the console in the program, listed in {@code files.txt}: those loaded with the page and, after an empty
 * line, those a view loads on demand. Their URLs contain a hash of all files, so that browsers can cache them
 * indefinitely and never mix versions.
 */
@Singleton
final class ConsoleFiles {
    private static final int VERSION_BYTES = 8;
    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html;charset=utf-8",
            "css", "text/css;charset=utf-8",
            "js", "text/javascript;charset=utf-8",
            "svg", "image/svg+xml",
            "txt", "text/plain;charset=utf-8",
            "json", "application/json");

    private final Map<String, StaticFile> files = new LinkedHashMap<>();
    private final String version;
    private final StaticFile page;
    private final String importMapHash;

    ConsoleFiles(ResourceLoader resources) {
        MessageDigest all = Sha256.digest();
        List<String> listed = text(resources, "files.txt").lines().toList();
        listed.stream().filter(name -> !name.isBlank()).forEach(name -> {
            byte[] bytes = bytes(resources, name);
            all.update(bytes);
            files.put(name, StaticFile.of(bytes, type(name)));
        });
        byte[] template = bytes(resources, "index.html");
        this.version = HexFormat.of().formatHex(all.digest(template), 0, VERSION_BYTES);
        String html = new String(template, StandardCharsets.UTF_8)
                .replace("{preloads}", preloadLinks(listed))
                .replace("{version}", version);
        this.page = StaticFile.of(html.getBytes(StandardCharsets.UTF_8), type("index.html"));
        this.importMapHash = hashImportMap(html);
    }

    /** Preloads the modules of the start, instead of one after another as imports are discovered. */
    private static String preloadLinks(List<String> listed) {
        return listed.stream()
                .takeWhile(name -> !name.isBlank())
                .filter(name -> name.endsWith(".js"))
                .map(name -> "<link rel=\"modulepreload\" href=\"/console/{version}/" + name + "\">")
                .collect(Collectors.joining("\n  "));
    }

    private static String hashImportMap(String html) {
        Matcher map = IMPORT_MAP.matcher(html);
        if (!map.find()) {
            throw new IllegalStateException("the console's page has no import map");
        }
        byte[] text = map.group(1).getBytes(StandardCharsets.UTF_8);
        return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.digest().digest(text)) + "'";
    }

    private static String type(String name) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalStateException("the console has a file of an unknown type: " + name);
        }
        return type;
    }

    private static String text(ResourceLoader resources, String name) {
        return new String(bytes(resources, name), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ResourceLoader resources, String name) {
        try (InputStream in = resources
                .getResourceAsStream("classpath:console/" + name)
                .orElseThrow(() -> new FileNotFoundException("console/" + name))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String version() {
        return version;
    }

    /** Returns the page, which is the same for every view. */
    StaticFile page() {
        return page;
    }

    /** Returns the hash of the page's only inline script for the content security policy; it contains no code. */
    String importMapHash() {
        return importMapHash;
    }

    Optional<StaticFile> find(String name) {
        return Optional.ofNullable(files.get(name));
    }
}
