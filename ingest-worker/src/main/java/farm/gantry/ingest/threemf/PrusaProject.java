package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.BuildItem;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.threemf.archive.ArchiveRewrite;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Projects for PrusaSlicer: copies of its own, which hold settings of single objects, modifiers and heights, or scenes of other
 * files, with every mesh in one model.
 */
public final class PrusaProject {
    static final String NAMESPACE = "http://schemas.slic3r.org/3mf/2017/06";

    private static final String RANGES = "Metadata/Prusa_Slicer_layer_config_ranges.xml";

    /** The entries that PrusaSlicer reads beside the model; the settings of the whole project are not among them. */
    private static final Set<String> COPIED = Set.of(
            "[Content_Types].xml",
            Relationships.NAME,
            ThreemfReader.PRUSA_SETTINGS,
            RANGES,
            "Metadata/Slic3r_PE_layer_heights_profile.txt",
            "Metadata/Prusa_Slicer_custom_gcode_per_print_z.xml");

    private static final String RELATIONSHIPS = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
             <Relationship Target="/3D/3dmodel.model" Id="rel-1" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
            </Relationships>
            """;
    private static final String CONTENT_TYPES = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
             <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
             <Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
            </Types>
            """;

    private PrusaProject() {}

    /** Whether PrusaSlicer made the file: it reads all of it itself, which lies in one model. */
    public static boolean isPrusaProject(Path file) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            String model = Relationships.read(archive).model();
            return model.startsWith("3D/")
                    && archive.has(ThreemfReader.PRUSA_SETTINGS)
                    && !archive.has(ThreemfArchive.BAMBU_SETTINGS)
                    && archive.names().stream().noneMatch(name -> name.endsWith(".model") && !name.equals(model));
        }
    }

    /**
     * Copies a project without the settings of the whole, and without those of objects that are not allowed, by their
     * names.
     */
    public static void copy(Path project, Predicate<String> isAllowed, Path to) throws IOException {
        try (ThreemfArchive archive = ThreemfArchive.open(project)) {
            String model = Relationships.read(archive).model();
            var allowed = new SettingsFilter(isAllowed);
            new ArchiveRewrite(archive)
                    .write(
                            to,
                            name -> name.equals(model) || COPIED.contains(name),
                            Stream.of(ThreemfReader.PRUSA_SETTINGS, RANGES)
                                    .collect(Collectors.toMap(
                                            Function.identity(), name -> new ModelRewrite(archive, name, allowed))));
        }
    }

    /** Removes settings that are not allowed, whatever their namespace prefix, because PrusaSlicer ignores prefixes. */
    private record SettingsFilter(Predicate<String> isAllowed) implements ModelRewrite.ElementChange {
        @Override
        public boolean isOfEveryPrefix() {
            return true;
        }

        @Override
        public @Nullable Map<String, String> attributes(String element, Map<String, String> attributes) {
            String key = switch (element) {
                case "metadata" -> attributes.get("key");
                case "option" -> attributes.get("opt_key");
                default -> null;
            };
            return key == null || isAllowed.test(key) ? attributes : null;
        }
    }

    public static void writeScene(Scene scene, Path to) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(to));
                Writer writer = new BufferedWriter(new OutputStreamWriter(zip, StandardCharsets.UTF_8))) {
            entry(zip, writer, "[Content_Types].xml");
            writer.write(CONTENT_TYPES);
            entry(zip, writer, "_rels/.rels");
            writer.write(RELATIONSHIPS);
            entry(zip, writer, "3D/3dmodel.model");
            model(scene.items(), writer);
            entry(zip, writer, "Metadata/Slic3r_PE_model.config");
            settings(scene.items(), writer);
        }
    }

    private static void entry(ZipOutputStream zip, Writer writer, String name) throws IOException {
        writer.flush();
        zip.putNextEntry(new ZipEntry(name));
    }

    private static void model(List<BuildItem> items, Writer writer) throws IOException {
        writer.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model unit=\"millimeter\" "
                + "xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\" "
                + "xmlns:slic3rpe=\"" + NAMESPACE + "\">\n"
                + "<metadata name=\"slic3rpe:Version3mf\">1</metadata>\n"
                + "<metadata name=\"slic3rpe:MmPaintingVersion\">1</metadata>\n<resources>\n");
        for (int at = 0; at < items.size(); at++) {
            writer.write("<object id=\"" + (at + 1) + "\" type=\"model\"><mesh><vertices>\n");
            for (Volume body : items.get(at).volumes()) {
                points(body, writer);
            }
            writer.write("</vertices><triangles>\n");
            int before = 0;
            for (Volume body : items.get(at).volumes()) {
                triangles(body, before, writer);
                before += body.mesh().points();
            }
            writer.write("</triangles></mesh></object>\n");
        }
        writer.write("</resources>\n<build>\n");
        for (int at = 0; at < items.size(); at++) {
            writer.write("<item objectid=\"" + (at + 1) + "\" printable=\"1\"/>\n");
        }
        writer.write("</build>\n</model>\n");
    }

    private static void points(Volume body, Writer writer) throws IOException {
        Mesh mesh = body.mesh();
        Transform place = body.place();
        for (int point = 0; point < mesh.points(); point++) {
            double x = mesh.x(point);
            double y = mesh.y(point);
            double z = mesh.z(point);
            writer.write("<vertex x=\"" + (float) place.x(x, y, z) + "\" y=\"" + (float) place.y(x, y, z) + "\" z=\""
                    + (float) place.z(x, y, z) + "\"/>\n");
        }
    }

    private static void triangles(Volume body, int before, Writer writer) throws IOException {
        Mesh mesh = body.mesh();
        boolean mirrored = body.place().isMirror();
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            int first = before + mesh.corner(triangle, mirrored ? 2 : 0);
            int last = before + mesh.corner(triangle, mirrored ? 0 : 2);
            writer.write("<triangle v1=\"" + first + "\" v2=\"" + (before + mesh.corner(triangle, 1)) + "\" v3=\""
                    + last + "\"");
            for (PaintLayer brush : PaintLayer.values()) {
                String paint = mesh.paint(brush, triangle);
                if (paint != null) {
                    writer.write(" slic3rpe:" + brush.prusa() + "=\"" + XmlElement.escaped(paint) + "\"");
                }
            }
            writer.write("/>\n");
        }
    }

    private static void settings(List<BuildItem> items, Writer writer) throws IOException {
        writer.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<config>\n");
        for (int at = 0; at < items.size(); at++) {
            writer.write("<object id=\"" + (at + 1) + "\" instances_count=\"1\">\n");
            setting(writer, "object", "name", items.get(at).name());
            int first = 0;
            for (Volume body : items.get(at).volumes()) {
                int last = first + body.mesh().triangles() - 1;
                writer.write("<volume firstid=\"" + first + "\" lastid=\"" + last + "\">\n");
                setting(writer, "volume", "name", body.name());
                setting(writer, "volume", "volume_type", kind(body.kind()));
                setting(writer, "volume", "extruder", Integer.toString(body.tool() + 1));
                writer.write("</volume>\n");
                first = last + 1;
            }
            writer.write("</object>\n");
        }
        writer.write("</config>\n");
    }

    private static void setting(Writer writer, String type, String key, String value) throws IOException {
        writer.write(
                "<metadata type=\"" + type + "\" key=\"" + key + "\" value=\"" + XmlElement.escaped(value) + "\"/>\n");
    }

    private static String kind(Volume.Kind kind) {
        return switch (kind) {
            case PART -> "ModelPart";
            case NEGATIVE -> "NegativeVolume";
            case MODIFIER -> "ParameterModifier";
            case SUPPORT_BLOCKER -> "SupportBlocker";
            case SUPPORT_ENFORCER -> "SupportEnforcer";
        };
    }
}
