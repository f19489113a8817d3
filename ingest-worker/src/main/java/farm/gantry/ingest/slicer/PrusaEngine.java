package farm.gantry.ingest.slicer;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.threemf.PrusaProject;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.ingest.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs PrusaSlicer or SuperSlicer, which need one flat list of settings and all models in one file. */
record PrusaEngine(Tool tool) implements SlicerEngine {
    private static final String OUT = "out.gcode";

    /**
     * Defaults of filaments: with the slicer's own density of 0 the weight would be unknown, and nobody chose its
     * colour.
     */
    private static final Map<String, Object> USUAL =
            Map.of("filament_density", "1.24", "filament_type", "PLA", "filament_colour", "", "extruder_colour", "");

    private static final int DEFAULT_BED_MM = 200;

    /**
     * Bed for an estimate without a printer, large enough for any part; the slicer's default bed would reject large
     * ones.
     */
    private static final Map<String, String> LARGE_BED =
            Map.of("bed_shape", "0x0,1000x0,1000x1000,0x1000", "max_print_height", "1000");

    /** Lists of these are separated by semicolons, since their values may have commas. */
    private static final Set<String> TEXTS = Set.of(
            "filament_type",
            "filament_colour",
            "filament_vendor",
            "filament_settings_id",
            "filament_notes",
            "start_filament_gcode",
            "end_filament_gcode",
            "extruder_colour");

    @Override
    public boolean takesSettingsOf(String other) {
        return other.equals("slicer3") || other.equals("slicer4");
    }

    @Override
    public boolean readsProjects() {
        return false;
    }

    @Override
    public Set<String> unsupportedSettings(Path project) throws IOException {
        return PrusaProject.isPrusaProject(project) ? Set.of() : ThreemfReader.readObjectSettingNames(project);
    }

    @Override
    public int maxFilaments(@Nullable Path project, SliceSettings settings) throws IOException {
        return project != null && PrusaProject.isPrusaProject(project) ? settings.extruders() : 1;
    }

    @Override
    public Path slice(PlateInput input, Path folder) throws IOException {
        if (input.project() != null && PrusaProject.isPrusaProject(input.project())) {
            PrusaProject.copy(input.project(), AllowedSettings::isAllowed, folder.resolve("in.3mf"));
        } else {
            PrusaProject.writeScene(input.scene(), folder.resolve("in.3mf"));
        }
        Files.writeString(
                folder.resolve("settings.ini"),
                ini(input.settings(), input.scene().bounds()));
        List<String> arguments = new ArrayList<>(List.of(
                "--export-gcode",
                "--loglevel",
                "1",
                "--config-compatibility",
                "enable_silent",
                "--load",
                "settings.ini"));
        if (!input.settings().arrangeable()) {
            arguments.add("--dont-arrange");
        }
        arguments.addAll(List.of("--output", OUT, "in.3mf"));
        tool.run(folder, arguments, "could not slice the part");
        Path made = folder.resolve(OUT);
        if (!Files.exists(made)) {
            throw new BadFileException(tool.name() + " made no G-code of the part: it may not fit the printer");
        }
        return made;
    }

    private static String ini(SliceSettings settings, Bounds bounds) {
        Map<String, String> flat = new TreeMap<>();
        USUAL.forEach((key, value) -> flat.put(key, value.toString()));
        if (settings.machine().isEmpty()
                && Stream.of(bounds.width(), bounds.depth(), bounds.height()).anyMatch(side -> side > DEFAULT_BED_MM)) {
            flat.putAll(LARGE_BED);
        }
        settings.process().forEach((key, value) -> flat.put(key, text(key, value)));
        settings.machine().forEach((key, value) -> flat.put(key, text(key, value)));
        filaments(settings.filaments(), flat);
        return flat.entrySet().stream()
                .map(setting -> setting.getKey() + " = " + setting.getValue())
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** One value per filament; a missing one is the first filament's. */
    private static void filaments(List<Map<String, Object>> filaments, Map<String, String> flat) {
        Set<String> keys = new LinkedHashSet<>();
        filaments.forEach(filament -> keys.addAll(filament.keySet()));
        for (String key : keys) {
            Object first = filaments.stream()
                    .filter(filament -> filament.containsKey(key))
                    .map(filament -> filament.get(key))
                    .findFirst()
                    .orElse("");
            flat.put(
                    key,
                    filaments.stream()
                            .map(filament -> text(key, filament.getOrDefault(key, first)))
                            .collect(Collectors.joining(TEXTS.contains(key) ? ";" : ",")));
        }
    }

    /** On one line, as the slicer writes it itself. */
    private static String text(String key, Object value) {
        if (value instanceof List<?> list) {
            return list.stream()
                    .map(one -> text(key, one))
                    .collect(Collectors.joining(TEXTS.contains(key) ? ";" : ","));
        }
        if (value instanceof Boolean flag) {
            return flag ? "1" : "0";
        }
        return value.toString().replace("\r", "").replace("\n", "\\n");
    }
}
