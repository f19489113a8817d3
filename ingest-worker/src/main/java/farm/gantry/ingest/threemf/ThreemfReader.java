package farm.gantry.ingest.threemf;

import farm.gantry.ingest.gcode.GcodeReader;
import farm.gantry.ingest.gcode.Settings;
import farm.gantry.ingest.gcode.ToolpathParser;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.SceneReader;
import farm.gantry.ingest.reading.Extrusions;
import farm.gantry.ingest.reading.GcodeFacts;
import farm.gantry.ingest.reading.GcodeFacts.Filaments;
import farm.gantry.ingest.reading.GcodeFacts.Slicer;
import farm.gantry.ingest.reading.PartReader;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Reading;
import farm.gantry.ingest.reading.Toolpath;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata.Plate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * 3MF of every kind. One that holds a plate's G-code and no objects to slice is a {@code gcode3mf}, whatever its name;
 * where it holds both, {@code claimed} decides.
 */
public final class ThreemfReader implements PartReader, SceneReader {
    private static final String CONTENT_TYPES = "[Content_Types].xml";
    private static final int LARGEST_CONTENT_TYPES = 1 << 20;
    private static final String EMBEDDED = "Metadata/Slic3r_PE.config";
    private static final int LARGEST_EMBEDDED = 4 << 20;
    static final String PRUSA_SETTINGS = "Metadata/Slic3r_PE_model.config";

    private final Part.Type claimed;

    public ThreemfReader(Part.Type claimed) {
        this.claimed = claimed;
    }

    @Override
    public Reading read(Path file) throws IOException {
        try (Archive archive = Archive.open(file)) {
            Reading reading = said(archive);
            if (reading.type() == Part.Type.THREE_MF) {
                Element.root(archive, CONTENT_TYPES, LARGEST_CONTENT_TYPES);
                Relationships.of(archive).requireThumbnail();
                Model model = model(archive);
                scenes(archive, model);
                return reading.with(Stream.concat(reading.warnings().stream(), model.warnings().stream())
                        .toList());
            }
            return reading;
        }
    }

    @Override
    public Toolpath toolpath(Path file, int plate, Slicer slicer, Extrusions extrusions) throws IOException {
        try (Archive archive = Archive.open(file);
                InputStream in = archive.stream(
                        Objects.requireNonNull(PlateGcode.in(archive).get(plate)))) {
            return ToolpathParser.parse(in, slicer, extrusions);
        }
    }

    /** What the file says of itself, whether or not its meshes are any good. */
    public Reading glance(Path file) throws IOException {
        try (Archive archive = Archive.open(file)) {
            return said(archive);
        }
    }

    private Reading said(Archive archive) throws IOException {
        ModelHeader header = ModelHeader.of(archive, Relationships.of(archive).model());
        SliceInfo slices = SliceInfo.of(archive);
        Settings project = ProjectSettings.of(archive);
        Element settings = Element.root(archive, Plates.NAME, Plates.LARGEST);
        Part.Type type = PlateGcode.type(archive, claimed);
        SortedMap<Integer, GcodeFacts> gcode = type == Part.Type.gcode3mf ? heads(archive, project) : new TreeMap<>();
        Filaments filaments = project.filaments(List.of(), List.of());
        List<Plate> plates = new Plates(archive, settings, slices, filaments.ids()).read();
        var metadata = GcodeFacts.metadata(
                filaments,
                project.machine(),
                slicer(header, slices, gcode),
                plates.isEmpty() ? null : plates,
                archive.has(Plates.NAME) || archive.has(PRUSA_SETTINGS)
                        ? new TextSlots(archive.has(Plates.NAME) ? settings : prusa(archive)).read()
                        : null);
        return Reading.of(
                type,
                metadata,
                filaments.materials(),
                gcode,
                Stream.concat(
                                GcodeFacts.warnings(filaments, project.machine()).stream(),
                                gcode.values().stream().flatMap(facts -> facts.warnings().stream()))
                        .distinct()
                        .toList());
    }

    private static Element prusa(Archive archive) throws IOException {
        return Element.root(archive, PRUSA_SETTINGS, Plates.LARGEST);
    }

    @Override
    public SortedMap<Integer, Scene> plates(Path file) throws IOException {
        try (Archive archive = Archive.open(file)) {
            return scenes(archive, model(archive));
        }
    }

    /** Takes a plate's G-code out of an archive that a slicer made. */
    public static Path gcode(Path archive, int plate, Path to) throws IOException {
        try (Archive made = Archive.open(archive);
                InputStream in = made.stream("Metadata/plate_" + plate + ".gcode")) {
            Files.copy(in, to);
            return to;
        }
    }

    /** The settings that PrusaSlicer and SuperSlicer embed in their projects, by their names; empty in others. */
    public static Map<String, Object> embedded(Path file) throws IOException {
        try (Archive archive = Archive.open(file)) {
            return archive.has(EMBEDDED)
                    ? new String(archive.read(EMBEDDED, LARGEST_EMBEDDED), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> line.startsWith("; ") && line.contains(" = "))
                            .map(line -> line.substring(2).split(" = ", 2))
                            .collect(Collectors.toMap(
                                    setting -> setting[0], setting -> setting[1], (first, second) -> first))
                    : Map.of();
        }
    }

    private static Model model(Archive archive) throws IOException {
        return Model.of(archive, new Volumes(settings(archive)));
    }

    private static SortedMap<Integer, Scene> scenes(Archive archive, Model model) throws IOException {
        return new PlateScenes(settings(archive), ProjectSettings.of(archive)).of(model);
    }

    private static Element settings(Archive archive) throws IOException {
        return archive.has(Plates.NAME) ? Element.root(archive, Plates.NAME, Plates.LARGEST) : prusa(archive);
    }

    private static SortedMap<Integer, GcodeFacts> heads(Archive archive, Settings project) throws IOException {
        SortedMap<Integer, GcodeFacts> heads = new TreeMap<>();
        for (var plate : PlateGcode.in(archive).entrySet()) {
            try (InputStream in = archive.stream(plate.getValue())) {
                heads.put(plate.getKey(), GcodeReader.readHead(in, project));
            }
        }
        return heads;
    }

    /** Who wrote the G-code knows itself better than the archive around it does. */
    private static Slicer slicer(ModelHeader header, SliceInfo slices, SortedMap<Integer, GcodeFacts> gcode) {
        Slicer signed =
                gcode.isEmpty() ? Slicer.UNKNOWN : gcode.firstEntry().getValue().slicer();
        return signed.engine() == null ? header.slicer(slices) : signed;
    }

    @Override
    public List<Picture> pictures(Path file, Path folder) throws IOException {
        try (Archive archive = Archive.open(file, PlatePictures.LIMITS)) {
            return new PlatePictures(archive, folder).extract();
        }
    }

    @Override
    public SortedMap<Integer, Path> split(Path file, Path folder) throws IOException {
        try (Archive archive = Archive.open(file)) {
            return PlateGcode.type(archive, claimed) == Part.Type.gcode3mf
                    ? new PlateSplit(archive, folder).pieces(file)
                    : new ProjectSplit(archive, folder).pieces();
        }
    }
}
