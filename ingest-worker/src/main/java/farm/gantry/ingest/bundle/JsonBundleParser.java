package farm.gantry.ingest.bundle;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import farm.gantry.profile.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The bundles of OrcaSlicer and Bambu Studio: an index file a vendor, and beside it a folder of the same name with a
 * file each profile.
 */
final class JsonBundleParser {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Map<String, Profile.Type> LISTS = Map.of(
            "machine_list", Profile.Type.machine,
            "process_list", Profile.Type.process,
            "filament_list", Profile.Type.filament);

    private JsonBundleParser() {}

    static void read(String slicer, Path vendorFile, ProfileIndex index) throws IOException {
        Map<String, Object> vendor = readObject(vendorFile);
        String name = textOr(vendor, "name", vendorFile.getFileName().toString().replaceFirst("\\.json$", ""));
        Path folder =
                vendorFile.resolveSibling(vendorFile.getFileName().toString().replaceFirst("\\.json$", ""));
        for (Path file : listedFiles(vendor, "machine_model_list", folder)) {
            Map<String, Object> model = readObject(file);
            String modelName = textOr(model, "name", "");
            List<String> nozzles = IniBundleParser.parseList(textOr(model, "nozzle_diameter", ""));
            index.add(SystemPrinterModel.of(slicer, name, modelName, nozzles));
        }
        for (Map.Entry<String, Profile.Type> list : LISTS.entrySet()) {
            for (Path file : listedFiles(vendor, list.getKey(), folder)) {
                Map<String, Object> settings = readObject(file);
                String inherits = textOr(settings, "inherits", "");
                SystemProfile profile = SystemProfile.of(
                        slicer,
                        name,
                        list.getValue(),
                        textOr(settings, "name", file.getFileName().toString()),
                        inherits.isEmpty() ? List.of() : List.of(inherits),
                        settings);
                index.add(profile, !textOr(settings, "instantiation", "true").equals("false"));
            }
        }
    }

    private static String textOr(Map<String, Object> object, String key, String otherwise) {
        return object.get(key) instanceof String text ? text : otherwise;
    }

    /**
     * Returns the files that a list of the index names by {@code sub_path}. Paths outside the vendor's folder are
     * ignored.
     */
    private static List<Path> listedFiles(Map<String, Object> vendor, String list, Path folder) {
        List<Path> files = new ArrayList<>();
        if (vendor.get(list) instanceof List<?> entries) {
            for (Object entry : entries) {
                if (entry instanceof Map<?, ?> named && named.get("sub_path") instanceof String path) {
                    Path file = folder.resolve(path).normalize();
                    if (file.startsWith(folder) && Files.isRegularFile(file)) {
                        files.add(file);
                    }
                }
            }
        }
        return files;
    }

    private static Map<String, Object> readObject(Path file) throws IOException {
        try (JsonParser parser = JSON.createParser(Files.readAllBytes(file))) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException(file + " is not a JSON object");
            }
            return readObject(parser);
        }
    }

    private static Map<String, Object> readObject(JsonParser parser) throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            parser.nextToken();
            object.put(key, readValue(parser));
        }
        return object;
    }

    private static Object readValue(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> readObject(parser);
            case START_ARRAY -> {
                List<Object> values = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    values.add(readValue(parser));
                }
                yield values;
            }
            case VALUE_NULL -> "";
            default -> parser.getText();
        };
    }
}
