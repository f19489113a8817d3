package farm.gantry.ingest.threemf;

import farm.gantry.RecordBuilder;
import farm.gantry.ingest.gcode.GcodeReader;
import farm.gantry.ingest.gcode.SlicerSettings;
import farm.gantry.ingest.gcode.ToolpathParser;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Filaments;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import farm.gantry.ingest.reading.PartReader;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.reading.ToolpathSummary;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Plate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * 3MF of every kind. One that holds a plate's G-code and no objects to slice is a {@code gcode3mf}, whatever its name;
 * where it holds both, {@code claimed} decides.
 */
public final class ThreemfReader implements PartReader {
    private static final String CONTENT_TYPES = "[Content_Types].xml";
    private static final int MAX_CONTENT_TYPES = 1 << 20;
    static final String PRUSA_SETTINGS = "Metadata/Slic3r_PE_model.config";

    /** Fields of an object or a volume that describe it or its mesh, and are not print settings. */
    private static final Pattern DESCRIBING =
            Pattern.compile("name|extruder|matrix|module|volume_type|modifier|source_.*");

    private static final Pattern SETTING = Pattern.compile("\\w{1,64}");
    private static final int MAX_NAMED = 30;

    /** Further settings of a project's objects, by the files that hold them. */
    private static final Map<String, String> FURTHER = Map.of(
            "Metadata/Slic3r_PE_layer_heights_profile.txt", "variable layer heights",
            "Metadata/layer_heights_profile.txt", "variable layer heights",
            "Metadata/Prusa_Slicer_layer_config_ranges.xml", "height ranges",
            "Metadata/layer_config_ranges.xml", "height ranges",
            "Metadata/Prusa_Slicer_custom_gcode_per_print_z.xml", "custom G-code",
            "Metadata/custom_gcode_per_layer.xml", "custom G-code");

    private final Part.Type claimed;

    public ThreemfReader(Part.Type claimed) {
        this.claimed = claimed;
    }

    @Override
    public ReadResult read(Path file) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            ReadResult reading = metadata(archive);
            if (reading.type() == Part.Type.THREE_MF) {
                XmlElement.root(archive, CONTENT_TYPES, MAX_CONTENT_TYPES);
                Relationships.read(archive).requireThumbnail();
                ThreemfModel model = model(archive);
                var scenes = scenes(archive, model);
                return withEmptyPlates(reading, scenes)
                        .with(Stream.concat(reading.warnings().stream(), model.warnings().stream())
                                .toList());
            }
            return reading;
        }
    }

    private static ReadResult withEmptyPlates(ReadResult reading, SortedMap<Integer, Scene> scenes) {
        PartMetadata metadata = Objects.requireNonNull(reading.metadata());
        return reading.with(metadata.with(
                metadata.plateRenderSourceHash(),
                plate -> Objects.requireNonNull(scenes.get(plate.id())).bounds().isEmpty()
                        ? RecordBuilder.copyOf(plate).with(Plate::empty, true).build()
                        : plate));
    }

    @Override
    public ToolpathSummary toolpath(Path file, int plate, Slicer slicer, ExtrusionListener listener)
            throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file);
                InputStream in = archive.stream(
                        Objects.requireNonNull(PlateGcode.findEntries(archive).get(plate)))) {
            return ToolpathParser.parse(in, slicer, listener);
        }
    }

    /** The metadata only; meshes are not read. */
    public ReadResult readMetadata(Path file) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            return metadata(archive);
        }
    }

    private ReadResult metadata(ThreemfArchive archive) throws IOException {
        ModelHeader header =
                ModelHeader.read(archive, Relationships.read(archive).model());
        SliceInfo slices = SliceInfo.read(archive);
        SlicerSettings project = ProjectSettings.read(archive);
        XmlElement settings = XmlElement.root(archive, ThreemfArchive.BAMBU_SETTINGS, PlateParser.MAX_SIZE);
        Part.Type type = PlateGcode.detectType(archive, claimed);
        SortedMap<Integer, GcodeMetadata> gcode =
                type == Part.Type.gcode3mf ? readGcodeHeads(archive, project) : new TreeMap<>();
        Filaments filaments = project.filaments(List.of(), List.of());
        List<Plate> plates = new PlateParser(archive, settings, slices, filaments.ids()).read();
        var metadata = GcodeMetadata.metadata(
                filaments,
                project.machine(),
                slicer(header, slices, gcode),
                plates.isEmpty() ? null : plates,
                archive.has(ThreemfArchive.BAMBU_SETTINGS) || archive.has(PRUSA_SETTINGS)
                        ? new TextSlots(
                                        archive.has(ThreemfArchive.BAMBU_SETTINGS)
                                                ? settings
                                                : readPrusaSettings(archive))
                                .read()
                        : null);
        return ReadResult.of(
                type,
                metadata,
                filaments.materials(),
                gcode,
                Stream.concat(
                                GcodeMetadata.warnings(filaments, project.machine()).stream(),
                                gcode.values().stream().flatMap(facts -> facts.warnings().stream()))
                        .distinct()
                        .toList());
    }

    private static XmlElement readPrusaSettings(ThreemfArchive archive) throws IOException {
        return XmlElement.root(archive, PRUSA_SETTINGS, PlateParser.MAX_SIZE);
    }

    /** The scene on each plate, relative to the plate's corner; a file without plates is plate 0. */
    public SortedMap<Integer, Scene> plates(Path file) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            return scenes(archive, model(archive));
        }
    }

    /** Takes a plate's G-code out of an archive that a slicer made. */
    public static Path extractGcode(Path archive, int plate, Path to) throws IOException {
        try (ThreemfArchive made = ThreemfArchive.open(archive);
                InputStream in = made.stream("Metadata/plate_" + plate + ".gcode")) {
            Files.copy(in, to);
            return to;
        }
    }

    /** The settings that slicers embed in their projects, by their names; empty where there are none. */
    public static Map<String, Object> readEmbeddedSettings(Path file) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            return ProjectSettings.readAll(archive);
        }
    }

    /** The names of the settings that a project has for single objects, modifiers and heights. */
    public static Set<String> readObjectSettingNames(Path file) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            Set<String> names = new TreeSet<>();
            settings(archive)
                    .all("object")
                    .flatMap(object -> Stream.of(Stream.of(object), object.all("part"), object.all("volume"))
                            .flatMap(Function.identity()))
                    .flatMap(holder -> holder.all("metadata"))
                    .flatMap(setting -> Stream.ofNullable(setting.attribute("key")))
                    .filter(key -> SETTING.matcher(key).matches()
                            && !DESCRIBING.matcher(key).matches())
                    .distinct()
                    .limit(MAX_NAMED)
                    .forEach(names::add);
            FURTHER.forEach((name, settings) -> {
                if (archive.has(name)) {
                    names.add(settings);
                }
            });
            return names;
        }
    }

    private static ThreemfModel model(ThreemfArchive archive) throws IOException {
        return ThreemfModel.open(archive, new VolumeSettings(settings(archive)));
    }

    private static SortedMap<Integer, Scene> scenes(ThreemfArchive archive, ThreemfModel model) throws IOException {
        return new PlateScenes(settings(archive), ProjectSettings.read(archive)).of(model);
    }

    private static XmlElement settings(ThreemfArchive archive) throws IOException {
        return archive.has(ThreemfArchive.BAMBU_SETTINGS)
                ? XmlElement.root(archive, ThreemfArchive.BAMBU_SETTINGS, PlateParser.MAX_SIZE)
                : readPrusaSettings(archive);
    }

    private static SortedMap<Integer, GcodeMetadata> readGcodeHeads(ThreemfArchive archive, SlicerSettings project)
            throws IOException {
        SortedMap<Integer, GcodeMetadata> heads = new TreeMap<>();
        for (var plate : PlateGcode.findEntries(archive).entrySet()) {
            try (InputStream in = archive.stream(plate.getValue())) {
                heads.put(plate.getKey(), GcodeReader.readHead(in, project));
            }
        }
        return heads;
    }

    /** Returns the slicer by the G-code's comments, which are more reliable than the archive around it. */
    private static Slicer slicer(ModelHeader header, SliceInfo slices, SortedMap<Integer, GcodeMetadata> gcode) {
        Slicer signed =
                gcode.isEmpty() ? Slicer.UNKNOWN : gcode.firstEntry().getValue().slicer();
        return signed.engine() == null ? header.slicer(slices) : signed;
    }

    @Override
    public List<Picture> pictures(Path file, Path folder) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file, PlatePictures.LIMITS)) {
            return new PlatePictures(archive, folder).extract();
        }
    }

    @Override
    public SortedMap<Integer, Path> split(Path file, Path folder) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            return PlateGcode.detectType(archive, claimed) == Part.Type.gcode3mf
                    ? new SlicedProjectSplit(archive, folder).splitPlates(file)
                    : new UnslicedProjectSplit(archive, folder).splitPlates();
        }
    }
}
