package farm.gantry.ingest.threemf;

import farm.gantry.ingest.reading.BadFileException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** What 3MF asks of a model's resources: each has an id of its own, and refers only to those of a fitting kind. */
final class ResourceRules {
    private static final Set<String> RESOURCES = Set.of(
            "object",
            "basematerials",
            "colorgroup",
            "texture2d",
            "texture2dgroup",
            "compositematerials",
            "multiproperties",
            "slicestack");

    private final String model;
    private final Map<String, String> kinds = new HashMap<>();
    private final Set<String> beamSets = new HashSet<>();
    private final AtomicReference<String> lastId = new AtomicReference<>("");
    private final boolean strict;

    /** Slicers' own projects may be lax where nothing of the print depends on it. */
    ResourceRules(String model, boolean strict) {
        this.model = model;
        this.strict = strict;
    }

    void element(XMLStreamReader xml, String name) throws BadFileException {
        if (xml.getAttributeValue("http://www.w3.org/XML/1998/namespace", "space") != null) {
            throw bad("sets xml:space, which 3MF forbids");
        }
        if (RESOURCES.contains(name)) {
            resource(xml, name);
        } else if (name.equals("beamset")) {
            String identifier = value(xml, "identifier");
            if (identifier != null && !beamSets.add(lastId.get() + "/" + identifier)) {
                throw bad("has two beam sets named " + identifier);
            }
        } else if (name.equals("metadata")) {
            metadata(xml);
        }
    }

    private void metadata(XMLStreamReader xml) throws BadFileException {
        String name = value(xml, "name");
        int colon = name == null ? -1 : name.indexOf(':');
        if (strict && name != null && colon > 0 && xml.getNamespaceURI(name.substring(0, colon)) == null) {
            throw bad("has metadata under a prefix that it does not declare: " + name);
        }
    }

    private void resource(XMLStreamReader xml, String kind) throws BadFileException {
        String id = value(xml, "id");
        if (id == null) {
            throw bad("has a " + kind + " without an id");
        }
        if (kinds.put(id, kind) != null) {
            throw bad("has two resources with the id " + id);
        }
        lastId.set(id);
        switch (kind) {
            case "compositematerials" -> {
                if (!"basematerials".equals(kinds.get(value(xml, "matid")))) {
                    throw bad("composes materials of what are no base materials");
                }
            }
            case "multiproperties" -> multiproperties(xml);
            case "object" -> object(xml);
            default -> {}
        }
    }

    private void multiproperties(XMLStreamReader xml) throws BadFileException {
        String groups = value(xml, "pids");
        if (groups == null || groups.isBlank()) {
            throw bad("has multiproperties that name no properties");
        }
        for (String group : groups.strip().split("\\s+", -1)) {
            String kind = kinds.get(group);
            if (kind == null || kind.equals("multiproperties")) {
                throw bad("has multiproperties of what are no properties: " + group);
            }
        }
    }

    private void object(XMLStreamReader xml) throws BadFileException {
        String group = value(xml, "pid");
        String index = value(xml, "pindex");
        if (index != null && group == null) {
            throw bad("has an object with a property index and no property group");
        }
        if (group != null) {
            requireGroup(group);
        }
    }

    void triangle(XMLStreamReader xml) throws BadFileException {
        String group = value(xml, "pid");
        if (group != null) {
            requireGroup(group);
        }
    }

    private void requireGroup(String group) throws BadFileException {
        if (!kinds.containsKey(group)) {
            throw bad("refers to a property group that it does not hold: " + group);
        }
    }

    private static @Nullable String value(XMLStreamReader xml, String name) {
        return xml.getAttributeValue(null, name);
    }

    private BadFileException bad(String why) {
        return new BadFileException(model + " " + why);
    }
}
