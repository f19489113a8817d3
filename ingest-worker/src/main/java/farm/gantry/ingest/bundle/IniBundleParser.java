package farm.gantry.ingest.bundle;

import farm.gantry.profile.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bundles of PrusaSlicer and SuperSlicer: a file a vendor, in sections such as {@code [printer:NAME]}. A name
 * between asterisks is there to be inherited from.
 */
final class IniBundleParser {
    private static final Map<String, Profile.Type> KINDS = Map.of(
            "printer", Profile.Type.machine,
            "print", Profile.Type.process,
            "filament", Profile.Type.filament);

    private IniBundleParser() {}

    static void read(String slicer, Path file, ProfileIndex index) throws IOException {
        Map<String, Map<String, Object>> sections = parseSections(Files.readAllLines(file));
        String fallback = file.getFileName().toString().replaceFirst("\\.ini$", "");
        String vendor = sections.getOrDefault("vendor", Map.of())
                .getOrDefault("name", fallback)
                .toString();
        sections.forEach((header, settings) -> {
            int colon = header.indexOf(':');
            String kind = colon < 0 ? header : header.substring(0, colon);
            String name = header.substring(colon + 1);
            Profile.Type type = KINDS.get(kind);
            if (kind.equals("printer_model") && !"SLA".equals(settings.get("technology"))) {
                index.add(SystemPrinterModel.of(
                        slicer,
                        vendor,
                        settings.getOrDefault("name", name).toString(),
                        parseList(settings.getOrDefault("variants", "").toString())));
            } else if (type != null) {
                List<String> inherits =
                        parseList(settings.getOrDefault("inherits", "").toString());
                SystemProfile profile = SystemProfile.of(slicer, vendor, type, name, inherits, settings);
                index.add(profile, !(name.startsWith("*") && name.endsWith("*")));
            }
        });
    }

    private static Map<String, Map<String, Object>> parseSections(List<String> lines) {
        Map<String, Map<String, Object>> sections = new LinkedHashMap<>();
        Map<String, Object> section = new LinkedHashMap<>();
        for (String line : lines) {
            String text = line.strip();
            if (text.startsWith("[") && text.endsWith("]")) {
                section = new LinkedHashMap<>();
                sections.put(text.substring(1, text.length() - 1), section);
            } else if (!text.startsWith("#") && !text.startsWith(";")) {
                int equals = text.indexOf('=');
                if (equals > 0) {
                    section.put(
                            text.substring(0, equals).strip(),
                            text.substring(equals + 1).strip());
                }
            }
        }
        return sections;
    }

    static List<String> parseList(String text) {
        return Arrays.stream(text.split(";"))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
