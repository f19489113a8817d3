package farm.gantry.ingest.slicer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import farm.gantry.ingest.mesh.StlFile;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.ingest.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs OrcaSlicer or Bambu Studio, which read projects unchanged and each profile from its own file. */
record OrcaEngine(Tool tool) implements SlicerEngine {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String OUT = "out.gcode.3mf";

    @Override
    public boolean takesSettingsOf(String other) {
        return other.equals("slicer1") || other.equals("slicer2");
    }

    @Override
    public boolean readsProjects() {
        return true;
    }

    @Override
    public Set<String> unsupportedSettings(Path project) {
        return Set.of();
    }

    @Override
    public int maxFilaments(@Nullable Path project, SliceSettings settings) {
        return project == null ? 1 : Integer.MAX_VALUE;
    }

    @Override
    public Path slice(PlateInput input, Path folder) throws IOException {
        SliceSettings settings = input.settings();
        List<String> arguments = new ArrayList<>();
        List<String> files = new ArrayList<>();
        if (!settings.machine().isEmpty()) {
            files.add(written(folder, "machine.json", "machine", settings.machine()));
        }
        if (!settings.process().isEmpty()) {
            files.add(written(folder, "process.json", "process", settings.process()));
        }
        if (!files.isEmpty()) {
            arguments.addAll(List.of("--load-settings", String.join(";", files)));
        }
        List<String> filaments = new ArrayList<>();
        for (Map<String, Object> filament : settings.filaments()) {
            filaments.add(written(folder, "filament_" + filaments.size() + ".json", "filament", filament));
        }
        if (!filaments.isEmpty()) {
            arguments.addAll(List.of("--load-filaments", String.join(";", filaments)));
        }
        int plate = Math.max(1, input.plate());
        arguments.addAll(List.of(
                "--arrange",
                settings.arrangeable() ? "1" : "0",
                "--slice",
                Integer.toString(plate),
                "--export-3mf",
                OUT,
                model(input, folder)));
        tool.run(folder, arguments, "could not slice the part");
        return ThreemfReader.extractGcode(folder.resolve(OUT), plate, folder.resolve("out.gcode"));
    }

    private static String model(PlateInput input, Path folder) throws IOException {
        if (input.project() == null) {
            StlFile.write(input.scene(), folder.resolve("in.stl"));
            return "in.stl";
        }
        Files.copy(input.project(), folder.resolve("in.3mf"));
        return "in.3mf";
    }

    private static String written(Path folder, String name, String type, Map<String, Object> settings)
            throws IOException {
        try (JsonGenerator json = JSON.createGenerator(Files.newBufferedWriter(folder.resolve(name)))) {
            json.writeStartObject();
            json.writeStringField("type", type);
            json.writeStringField("from", "User");
            for (var setting : settings.entrySet()) {
                if (!setting.getKey().equalsIgnoreCase("type")
                        && !setting.getKey().equalsIgnoreCase("from")) {
                    json.writeFieldName(setting.getKey());
                    write(json, setting.getValue());
                }
            }
            json.writeEndObject();
        }
        return name;
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object one : list) {
                write(json, one);
            }
            json.writeEndArray();
        } else {
            json.writeString(value.toString());
        }
    }
}
