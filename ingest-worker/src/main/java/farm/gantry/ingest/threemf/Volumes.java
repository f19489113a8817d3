package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Body;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.threemf.ModelFile.Meshed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a slicer's settings say of each object's volumes: their kind, filament and name. Bambu and Orca name the
 * components, Prusa ranges of an object's triangles.
 */
final class Volumes {
    private static final int HIGHEST_TOOL = 255;

    private final Map<String, Element> objects;

    Volumes(Element settings) {
        this.objects = settings.all("object")
                .filter(object -> object.attribute("id") != null)
                .collect(Collectors.toMap(
                        object -> Objects.requireNonNull(object.attribute("id")),
                        Function.identity(),
                        (first, second) -> first,
                        HashMap::new));
    }

    String nameOf(String objectId, String usual) {
        Element object = objects.get(objectId);
        String name = object == null ? null : object.metadata("name");
        return name == null || name.isBlank() ? usual : name;
    }

    Body ofPart(String objectId, String partId, Meshed meshed, Transform place) {
        Element object = objects.get(objectId);
        Element part = object == null
                ? null
                : object.all("part")
                        .filter(child -> partId.equals(child.attribute("id")))
                        .findFirst()
                        .orElse(null);
        String name = part == null ? null : part.metadata("name");
        Body.Kind kind = part == null ? Body.Kind.part : kind(part.attribute("subtype"));
        return new Body(
                partId, name == null ? meshed.name() : name, kind, tool(object, part, kind), meshed.mesh(), place);
    }

    List<Body> ofMesh(String objectId, Meshed meshed, Transform place) {
        Element object = objects.get(objectId);
        List<Body> bodies = new ArrayList<>();
        List<Element> volumes =
                object == null ? List.of() : object.all("volume").toList();
        Mesh mesh = meshed.mesh();
        for (Element volume : volumes) {
            Integer first = Values.integer(volume.attribute("firstid"));
            Integer last = Values.integer(volume.attribute("lastid"));
            if (first == null || last == null || first < 0 || last < first || last >= mesh.triangles()) {
                continue;
            }
            Body.Kind kind = kind(volume.metadata("volume_type"));
            bodies.add(new Body(
                    Integer.toString(first),
                    Objects.requireNonNullElse(volume.metadata("name"), meshed.name()),
                    kind,
                    tool(object, volume, kind),
                    volumes.size() == 1 ? mesh : mesh.range(first, last - first + 1),
                    place));
        }
        return bodies.isEmpty()
                ? List.of(new Body(
                        objectId, meshed.name(), Body.Kind.part, tool(object, null, Body.Kind.part), mesh, place))
                : bodies;
    }

    /** Filaments count from 1, and 0 means none: a part is then printed with its object's. */
    private static int tool(@Nullable Element object, @Nullable Element volume, Body.Kind kind) {
        Integer own = volume == null ? null : Values.integer(volume.metadata("extruder"));
        if (own != null && own > 0) {
            return Math.min(own - 1, HIGHEST_TOOL);
        }
        if (kind != Body.Kind.part) {
            return Body.AS_AROUND;
        }
        Integer usual = object == null ? null : Values.integer(object.metadata("extruder"));
        return usual != null && usual > 0 ? Math.min(usual - 1, HIGHEST_TOOL) : 0;
    }

    private static Body.Kind kind(@Nullable String said) {
        return switch (Objects.requireNonNullElse(said, "")) {
            case "negative_part", "NegativeVolume" -> Body.Kind.negative;
            case "modifier_part", "ParameterModifier" -> Body.Kind.modifier;
            case "support_blocker", "SupportBlocker" -> Body.Kind.supportBlocker;
            case "support_enforcer", "SupportEnforcer" -> Body.Kind.supportEnforcer;
            default -> Body.Kind.part;
        };
    }
}
