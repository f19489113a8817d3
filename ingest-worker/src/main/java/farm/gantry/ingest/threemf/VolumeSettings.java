package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.threemf.archive.AttributeValues;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.ingest.threemf.model.ModelFile.MeshObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A slicer's settings of each object's volumes: their kind, filament and name. Bambu and Orca name the
 * components, Prusa ranges of an object's triangles.
 */
final class VolumeSettings {
    private static final int MAX_TOOL = 255;

    private final Map<String, XmlElement> objects;
    /** Object → its parts by their ids, of the objects that were asked for. */
    private final Map<String, Map<String, XmlElement>> parts = new HashMap<>();

    VolumeSettings(XmlElement settings) {
        this.objects = byId(settings, "object");
    }

    /** The first of each id. */
    private static Map<String, XmlElement> byId(XmlElement parent, String name) {
        return parent.all(name)
                .filter(child -> child.attribute("id") != null)
                .collect(Collectors.toMap(
                        child -> Objects.requireNonNull(child.attribute("id")),
                        Function.identity(),
                        (first, second) -> first,
                        HashMap::new));
    }

    String nameOf(String objectId, String usual) {
        XmlElement object = objects.get(objectId);
        String name = object == null ? null : object.metadata("name");
        return name == null || name.isBlank() ? usual : name;
    }

    Volume ofPart(String objectId, String partId, MeshObject meshed, Transform place) {
        XmlElement object = objects.get(objectId);
        XmlElement part = object == null
                ? null
                : parts.computeIfAbsent(objectId, _ -> byId(object, "part")).get(partId);
        String name = part == null ? null : part.metadata("name");
        Volume.Kind kind = part == null ? Volume.Kind.PART : kind(part.attribute("subtype"));
        return new Volume(
                partId, name == null ? meshed.name() : name, kind, tool(object, part, kind), meshed.mesh(), place);
    }

    List<Volume> ofMesh(String objectId, MeshObject meshed, Transform place) {
        XmlElement object = objects.get(objectId);
        List<Volume> volumes = new ArrayList<>();
        List<XmlElement> elements =
                object == null ? List.of() : object.all("volume").toList();
        Mesh mesh = meshed.mesh();
        for (XmlElement volume : elements) {
            Integer first = AttributeValues.integer(volume.attribute("firstid"));
            Integer last = AttributeValues.integer(volume.attribute("lastid"));
            if (first == null || last == null || first < 0 || last < first || last >= mesh.triangles()) {
                continue;
            }
            Volume.Kind kind = kind(volume.metadata("volume_type"));
            volumes.add(new Volume(
                    Integer.toString(first),
                    Objects.requireNonNullElse(volume.metadata("name"), meshed.name()),
                    kind,
                    tool(object, volume, kind),
                    elements.size() == 1 ? mesh : mesh.range(first, last - first + 1),
                    place));
        }
        return volumes.isEmpty()
                ? List.of(new Volume(
                        objectId, meshed.name(), Volume.Kind.PART, tool(object, null, Volume.Kind.PART), mesh, place))
                : volumes;
    }

    /** Filaments count from 1, and 0 means none: a part is then printed with its object's. */
    private static int tool(@Nullable XmlElement object, @Nullable XmlElement volume, Volume.Kind kind) {
        Integer own = volume == null ? null : AttributeValues.integer(volume.metadata("extruder"));
        if (own != null && own > 0) {
            return Math.min(own - 1, MAX_TOOL);
        }
        if (kind != Volume.Kind.PART) {
            return Volume.AS_AROUND;
        }
        Integer usual = object == null ? null : AttributeValues.integer(object.metadata("extruder"));
        return usual != null && usual > 0 ? Math.min(usual - 1, MAX_TOOL) : 0;
    }

    private static Volume.Kind kind(@Nullable String type) {
        return switch (Objects.requireNonNullElse(type, "")) {
            case "negative_part", "NegativeVolume" -> Volume.Kind.NEGATIVE;
            case "modifier_part", "ParameterModifier" -> Volume.Kind.MODIFIER;
            case "support_blocker", "SupportBlocker" -> Volume.Kind.SUPPORT_BLOCKER;
            case "support_enforcer", "SupportEnforcer" -> Volume.Kind.SUPPORT_ENFORCER;
            default -> Volume.Kind.PART;
        };
    }
}
