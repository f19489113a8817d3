package farm.gantry.api.file;

import java.net.URLConnection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Media types by file name. */
public final class ContentTypes {
    /** Types that the JDK does not know. */
    private static final Map<String, String> OF_MODELS = Map.ofEntries(
            Map.entry("3mf", "model/3mf"),
            Map.entry("stl", "model/stl"),
            Map.entry("obj", "model/obj"),
            Map.entry("step", "model/step"),
            Map.entry("stp", "model/step"),
            Map.entry("gltf", "model/gltf+json"),
            Map.entry("glb", "model/gltf-binary"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("dxf", "image/vnd.dxf"),
            Map.entry("webp", "image/webp"),
            Map.entry("scad", "application/x-openscad"),
            Map.entry("gcode", "text/x.gcode"),
            Map.entry("ttf", "font/ttf"),
            Map.entry("otf", "font/otf"),
            Map.entry("csv", "text/csv"));

    private static final Set<String> IMAGES = Set.of("image/png", "image/jpeg", "image/webp", "image/gif");

    private ContentTypes() {}

    public static Optional<String> of(String fileName) {
        String ending = fileName.substring(fileName.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return Optional.ofNullable(OF_MODELS.get(ending))
                .or(() -> Optional.ofNullable(URLConnection.guessContentTypeFromName(fileName)));
    }

    /** Returns the type a file is sent with: images keep theirs, anything that may contain scripts is sent as bytes. */
    public static String downloadType(String fileName) {
        return of(fileName).filter(IMAGES::contains).orElse("application/octet-stream");
    }

    /**
     * Whether a list of types, such as {@code image/*}, includes the type of the file name; an empty list includes all.
     */
    public static boolean isAccepted(List<String> types, String fileName) {
        return types.isEmpty()
                || of(fileName)
                        .filter(type -> types.stream().anyMatch(each -> includes(each, type)))
                        .isPresent();
    }

    private static boolean includes(String accepted, String type) {
        String wanted = accepted.strip().toLowerCase(Locale.ROOT);
        return wanted.equals("*/*")
                || wanted.equals(type)
                || (wanted.endsWith("/*") && type.startsWith(wanted.substring(0, wanted.length() - 1)));
    }
}
