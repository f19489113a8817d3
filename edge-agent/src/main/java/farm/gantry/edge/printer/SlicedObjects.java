package farm.gantry.edge.printer;

import farm.gantry.edge.file.FileTaskPool;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The objects on one plate of a sliced 3MF: their names by the numbers with which printers that receive the whole
 * archive identify them.
 */
record SlicedObjects(Map<String, String> names) {
    private static final String SLICED = "Metadata/slice_info.config";
    private static final Pattern PLATE = Pattern.compile("plate_(\\d+)\\.gcode$");
    private static final int MAX_SIZE = 16 << 20;
    /**
     * Matches the tags that are read. A regular expression suffices, because only attributes of single tags are read,
     * and the packaged agent's Java runtime has no XML parser.
     */
    private static final Pattern TAG = Pattern.compile("<(plate|metadata|object)\\b((?:[^>\"]|\"[^\"]*\")*)>");

    private static final Pattern FIELD = Pattern.compile("(\\w+)\\s*=\\s*\"([^\"]*)\"");
    private static final Pattern ENTITY = Pattern.compile("&(lt|gt|quot|apos|amp);");
    private static final String NUMBER = "\\d{1,9}";

    /** Returns the objects of a plate; none if the file lists none. */
    static SlicedObjects of(Path file, @Nullable String plateEntry) throws IOException, InterruptedException {
        return FileTaskPool.run(() -> read(file, plateEntry));
    }

    private static SlicedObjects read(Path file, @Nullable String plateEntry) throws IOException {
        Matcher plate = PLATE.matcher(plateEntry == null ? "" : plateEntry);
        String index = plate.find() ? plate.group(1) : "1";
        try (ZipFile archive = new ZipFile(file.toFile())) {
            ZipEntry entry = archive.getEntry(SLICED);
            if (entry == null) {
                return new SlicedObjects(Map.of());
            }
            try (InputStream in = archive.getInputStream(entry)) {
                return new SlicedObjects(
                        parsePlate(index, new String(in.readNBytes(MAX_SIZE), StandardCharsets.UTF_8)));
            }
        } catch (ZipException e) {
            return new SlicedObjects(Map.of());
        }
    }

    private static Map<String, String> parsePlate(String plate, String text) {
        Map<String, String> names = new LinkedHashMap<>();
        String index = "";
        Matcher tag = TAG.matcher(text);
        while (tag.find()) {
            Map<String, String> fields = parseAttributes(tag.group(2));
            switch (tag.group(1)) {
                case "plate" -> index = "";
                case "metadata" -> index = "index".equals(fields.get("key")) ? fields.getOrDefault("value", "") : index;
                default -> {
                    String number = fields.getOrDefault("identify_id", "");
                    if (index.equals(plate) && isNumber(number)) {
                        names.put(number, fields.getOrDefault("name", ""));
                    }
                }
            }
        }
        return names;
    }

    private static Map<String, String> parseAttributes(String text) {
        return FIELD.matcher(text)
                .results()
                .collect(Collectors.toMap(
                        field -> field.group(1), field -> unescapeEntities(field.group(2)), (one, _) -> one));
    }

    private static String unescapeEntities(String text) {
        return ENTITY.matcher(text)
                .replaceAll(entity -> Matcher.quoteReplacement(
                        switch (entity.group(1)) {
                            case "lt" -> "<";
                            case "gt" -> ">";
                            case "quot" -> "\"";
                            case "apos" -> "'";
                            default -> "&";
                        }));
    }

    static boolean isNumber(String object) {
        return object.matches(NUMBER);
    }

    /**
     * Returns the numbers of the objects with these names. Refuses a name that several objects have, because a wrongly
     * skipped object cannot be printed afterwards.
     */
    List<String> findNumbers(List<String> objects) throws Refusal {
        List<String> numbers = new ArrayList<>();
        for (String object : objects) {
            numbers.add(isNumber(object) ? object : findNumber(object));
        }
        return numbers;
    }

    private String findNumber(String name) throws Refusal {
        List<String> found = names.entrySet().stream()
                .filter(object -> object.getValue().equals(name))
                .map(Map.Entry::getKey)
                .toList();
        return switch (found.size()) {
            case 0 -> throw Refusal.becauseOfJob("the file has no object " + name + "; it has " + listNames());
            case 1 -> found.getFirst();
            default ->
                throw Refusal.becauseOfJob("the file has " + found.size() + " objects " + name + ": say which of "
                        + String.join(", ", found));
        };
    }

    private String listNames() {
        return names.isEmpty()
                ? "no listed objects"
                : names.entrySet().stream()
                        .map(object -> object.getValue() + " (" + object.getKey() + ")")
                        .collect(Collectors.joining(", "));
    }
}
