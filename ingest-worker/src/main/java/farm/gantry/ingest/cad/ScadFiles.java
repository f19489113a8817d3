package farm.gantry.ingest.cad;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.tool.Tools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the files that OpenSCAD models refer to: without a sandbox, they could read any file. */
final class ScadFiles {
    private static final Pattern INCLUDED = Pattern.compile("\\b(?:include|use)\\s*<([^>]*)>");
    private static final Pattern IMPORTED = Pattern.compile("\\b(?:import|surface)(?:_\\w+)?\\s*\\(([^)]*)");
    private static final Pattern NAME =
            Pattern.compile("\\s*(?:file(?:name)?\\s*=\\s*)?\"([^\"\\\\]*)\"\\s*(?:,.*)?", Pattern.DOTALL);

    /** Comments, and what looks like one inside a text or a file's name and is none. */
    private static final Pattern COMMENT = Pattern.compile(
            "(?s)((?<![\\w$])(?:include|use)\\s*<[^>]*>|\"(?:[^\"\\\\]|\\\\.)*+\")|//[^\\n]*|/\\*.*?(?:\\*/|\\z)");

    private ScadFiles() {}

    /** Refuses what may reach out of the folder: a path that leads out of it, or a name that is not written out. */
    static void requireOwn(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> inside = Files.walk(folder)) {
            files = inside.filter(file -> file.toString().endsWith(".scad")).toList();
        }
        for (Path file : files) {
            requireOwn(Files.readString(file, StandardCharsets.ISO_8859_1));
        }
    }

    /** Checks it as it is, and as OpenSCAD reads it: a comment may stand between any two words. */
    static void requireOwn(String model) throws BadFileException {
        requireOwnOf(model);
        requireOwnOf(COMMENT.matcher(model)
                .replaceAll(found -> found.group(1) == null ? " " : Matcher.quoteReplacement(found.group(1))));
    }

    private static void requireOwnOf(String model) throws BadFileException {
        Matcher included = INCLUDED.matcher(model);
        while (included.find()) {
            require(included.group(1));
        }
        Matcher imported = IMPORTED.matcher(model);
        while (imported.find()) {
            Matcher name = NAME.matcher(imported.group(1));
            if (!name.matches()) {
                throw refused("a file whose name is not written out");
            }
            require(name.group(1));
        }
    }

    private static void require(String path) throws BadFileException {
        if (path.startsWith("/") || ("/" + path + "/").contains("/../")) {
            throw refused(path);
        }
    }

    private static BadFileException refused(String what) {
        return new BadFileException("The model reads " + what
                + ", which is not allowed where tools run without walls; bubblewrap builds them, and "
                + Tools.TRUST + "=true does without");
    }
}
