package farm.gantry.ingest.threemf.model;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.model.ModelFile.ObjectPlacement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Checks 3MF's rules for a model's resources: each has a unique id, and refers only to resources of a suitable kind.
 */
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

    private static final Set<String> OBJECT_TYPES = Set.of("model", "solidsupport", "support", "surface", "other");
    private static final Set<String> LATTICED = Set.of("model", "solidsupport");
    private static final Set<String> METADATA = Set.of(
            "Title",
            "Designer",
            "Description",
            "Copyright",
            "LicenseTerms",
            "Rating",
            "CreationDate",
            "ModificationDate",
            "Application");
    private static final Set<String> MATERIALS = Set.of("basematerials", "compositematerials");
    /** Elements from before the standard. */
    private static final String FIRST_DRAFT = "http://schemas.microsoft.com/3dmanufacturing/2013/01";

    private static final Set<String> PICTURES = Set.of("image/png", "image/jpeg");
    private static final Pattern COLOR = Pattern.compile("#\\p{XDigit}{6}(\\p{XDigit}{2})?");

    private final String model;
    private final Set<String> others = new HashSet<>();
    private final Set<String> metadata = new HashSet<>();
    private final Map<String, String> kinds = new HashMap<>();
    private final Set<String> beamSets = new HashSet<>();
    private final AtomicReference<String> lastId = new AtomicReference<>("");
    private final AtomicReference<String> objectType = new AtomicReference<>("");
    private final List<String> warnings = new ArrayList<>();
    private final AtomicBoolean strict;

    /** Projects of slicers may break rules that do not affect the print. */
    ResourceRules(String model, boolean strict) {
        this.model = model;
        this.strict = new AtomicBoolean(strict);
    }

    /** Returns warnings about elements that 3MF does not define and allows a reader to ignore. */
    List<String> warnings() {
        return warnings;
    }

    void element(XMLStreamReader xml, String name) throws BadFileException {
        if (xml.getAttributeValue("http://www.w3.org/XML/1998/namespace", "space") != null) {
            throw invalid("sets xml:space, which 3MF forbids");
        }
        if (name.equals("model")) {
            strict.set(strict.get() && !FIRST_DRAFT.equals(xml.getNamespaceURI()));
        } else if (RESOURCES.contains(name)) {
            resource(xml, name);
        } else if (name.equals("beamset")) {
            String identifier = value(xml, "identifier");
            if (identifier != null && !beamSets.add(lastId.get() + "/" + identifier)) {
                throw invalid("has two beam sets named " + identifier);
            }
        } else if (name.equals("beamlattice")) {
            beamLattice(xml);
        } else if (name.equals("metadata")) {
            metadata(xml);
        } else if (name.equals("metadatagroup")) {
            metadata.clear();
        } else if (name.equals("base")) {
            requireColor("base material", value(xml, "displaycolor"));
        } else if (name.equals("color") && "colorgroup".equals(kinds.get(lastId.get()))) {
            requireColor("colour", value(xml, "color"));
        } else if (name.equals("tex2coord") && (value(xml, "u") == null || value(xml, "v") == null)) {
            throw invalid("has a texture coordinate without its u or v");
        }
    }

    private void requireColor(String what, @Nullable String color) throws BadFileException {
        if (strict.get() && (color == null || !COLOR.matcher(color.strip()).matches())) {
            throw invalid("has a " + what + " whose colour is none: " + color);
        }
    }

    /** Refuses to build an object of the type {@code other}, which is not a part of a print. */
    void requirePrintable(ObjectPlacement item) throws BadFileException {
        if (strict.get() && item.path() == null && others.contains(item.objectId())) {
            throw invalid("builds an object of the type other: " + item.objectId());
        }
    }

    private void metadata(XMLStreamReader xml) throws BadFileException {
        String name = value(xml, "name");
        if (!strict.get()) {
            return;
        }
        if (name == null || name.isBlank()) {
            throw invalid("has metadata without a name");
        }
        if (!metadata.add(name)) {
            throw invalid("has two metadata named " + name);
        }
        if (name.indexOf(':') < 0 && !METADATA.contains(name)) {
            warnings.add(model + " has metadata under a name that 3MF does not know, which is passed over: " + name);
        }
        int colon = name.indexOf(':');
        if (colon > 0 && xml.getNamespaceURI(name.substring(0, colon)) == null) {
            throw invalid("has metadata under a prefix that it does not declare: " + name);
        }
    }

    private void resource(XMLStreamReader xml, String kind) throws BadFileException {
        String id = value(xml, "id");
        if (id == null) {
            throw invalid("has a " + kind + " without an id");
        }
        if (kinds.put(id, kind) != null) {
            throw invalid("has two resources with the id " + id);
        }
        lastId.set(id);
        switch (kind) {
            case "compositematerials" -> {
                if (!"basematerials".equals(kinds.get(value(xml, "matid")))) {
                    throw invalid("composes materials of what are no base materials");
                }
            }
            case "multiproperties" -> multiproperties(xml);
            case "texture2d" -> texture(xml);
            case "texture2dgroup" -> {
                if (!"texture2d".equals(kinds.get(Objects.requireNonNullElse(value(xml, "texid"), "")))) {
                    throw invalid("has texture coordinates of what is no texture");
                }
            }
            case "object" -> object(xml);
            default -> {}
        }
    }

    private void multiproperties(XMLStreamReader xml) throws BadFileException {
        String groups = value(xml, "pids");
        if (groups == null || groups.isBlank()) {
            throw invalid("has multiproperties that name no properties");
        }
        String[] layers = groups.strip().split("\\s+", -1);
        int materials = 0;
        int colors = 0;
        for (String group : layers) {
            String kind = kinds.get(group);
            if (kind == null || kind.equals("multiproperties")) {
                throw invalid("has multiproperties of what are no properties: " + group);
            }
            materials += MATERIALS.contains(kind) ? 1 : 0;
            colors += kind.equals("colorgroup") ? 1 : 0;
        }
        if (materials > 1 || colors > 1) {
            throw invalid(
                    "has multiproperties with more than one group of " + (materials > 1 ? "materials" : "colours"));
        }
        if (materials > 0 && !MATERIALS.contains(kinds.get(layers[0]))) {
            throw invalid("has multiproperties whose material is not the first layer");
        }
        String blends = value(xml, "blendmethods");
        if (blends != null && blends.strip().split("\\s+", -1).length >= layers.length) {
            throw invalid("has multiproperties with as many blend methods as layers, where the first layer has none");
        }
    }

    /** Beam lattices belong to printed objects or supports, and refer to objects defined before. */
    private void beamLattice(XMLStreamReader xml) throws BadFileException {
        if (!LATTICED.contains(objectType.get())) {
            throw invalid("has a beam lattice in an object of the type " + objectType.get()
                    + ", where 3MF allows model and solidsupport");
        }
        for (String reference : List.of("clippingmesh", "representationmesh")) {
            String id = value(xml, reference);
            if (id != null && (id.equals(lastId.get()) || !"object".equals(kinds.get(id)))) {
                throw invalid("has a beam lattice whose " + reference + " is no object before its own: " + id);
            }
        }
        String clipping = value(xml, "clippingmode");
        if (clipping != null && !clipping.equals("none") && value(xml, "clippingmesh") == null) {
            throw invalid("has a beam lattice that is clipped by no mesh");
        }
    }

    private void texture(XMLStreamReader xml) throws BadFileException {
        String path = value(xml, "path");
        if (path == null || !path.startsWith("/")) {
            throw invalid("has a texture without the path of its picture");
        }
        if (!PICTURES.contains(Objects.requireNonNullElse(value(xml, "contenttype"), ""))) {
            throw invalid("has a texture that is neither PNG nor JPEG");
        }
    }

    private void object(XMLStreamReader xml) throws BadFileException {
        String type = Objects.requireNonNullElse(value(xml, "type"), "model");
        if (!OBJECT_TYPES.contains(type)) {
            throw invalid("has an object of a type that 3MF does not know: " + type);
        }
        objectType.set(type);
        if (type.equals("other")) {
            others.add(lastId.get());
        }
        metadata.clear();
        String group = value(xml, "pid");
        String index = value(xml, "pindex");
        if (index != null && group == null) {
            throw invalid("has an object with a property index and no property group");
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
            throw invalid("refers to a property group that it does not hold: " + group);
        }
    }

    private static @Nullable String value(XMLStreamReader xml, String name) {
        return xml.getAttributeValue(null, name);
    }

    private BadFileException invalid(String why) {
        return new BadFileException(model + " " + why);
    }
}
