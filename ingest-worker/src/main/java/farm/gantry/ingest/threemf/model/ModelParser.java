package farm.gantry.ingest.threemf.model;

import com.fasterxml.aalto.UncheckedStreamException;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.SafeXml;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.model.ModelFile.ComponentObject;
import farm.gantry.ingest.threemf.model.ModelFile.MeshObject;
import farm.gantry.ingest.threemf.model.ModelFile.ModelObject;
import farm.gantry.ingest.threemf.model.ModelFile.ObjectPlacement;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads a model in one pass, and refuses what 3MF forbids. */
public final class ModelParser {
    private static final String UNDECLARED = "Unbound namespace prefix";
    private static final int MAX_DEPTH = 32;
    private static final int MAX_OBJECTS = 50_000;
    private static final int MAX_PLACES = 50_000;

    private final XMLStreamReader xml;
    private final MeshElementParser meshes;
    private final String model;
    private final ResourceRules rules;
    private final boolean root;
    private final boolean strict;
    private final Map<String, ModelObject> objects = new LinkedHashMap<>();
    private final List<ObjectPlacement> build = new ArrayList<>();
    private final List<String> slicePaths = new ArrayList<>();
    private int places;
    private boolean hasBuild;
    private boolean hasSliceReferences;
    private @Nullable String core;
    private double unit = 1;
    private @Nullable String objectId;
    private String objectName = "";
    private boolean hasBeams;
    private @Nullable List<ObjectPlacement> components;

    private ModelParser(XMLStreamReader xml, PlainMeshParser runs, String model, boolean strict, boolean root) {
        this.root = root;
        this.strict = strict;
        this.xml = xml;
        this.model = model;
        this.rules = new ResourceRules(model, strict);
        this.meshes = new MeshElementParser(xml, runs, model, rules);
    }

    public static ModelFile parse(ThreemfArchive archive, String model, boolean root) throws IOException {
        try {
            return parse(archive, model, root, SafeXml::fastReader);
        } catch (XMLStreamException | UncheckedStreamException broken) {
            if (!Objects.requireNonNullElse(broken.getMessage(), "").contains(UNDECLARED)) {
                throw invalid(model, broken);
            }
        }
        try {
            return parse(archive, model, root, SafeXml::reader);
        } catch (XMLStreamException broken) {
            throw invalid(model, broken);
        }
    }

    /** Readers of XML: a fast one that insists on declared prefixes, and one for files that do not have them. */
    @FunctionalInterface
    private interface XmlReaderFactory {
        XMLStreamReader open(InputStream in) throws XMLStreamException;
    }

    /** Some readers close what they have read, but not always to its end. */
    private static final class NonClosingStream extends FilterInputStream {
        NonClosingStream(InputStream in) {
            super(in);
        }

        @Override
        public void close() {}
    }

    /** Read to its end, where the checksum is. */
    private static ModelFile parse(ThreemfArchive archive, String model, boolean root, XmlReaderFactory opener)
            throws XMLStreamException, IOException {
        try (InputStream in = archive.streamAhead(model)) {
            boolean strict = !archive.has(ThreemfArchive.BAMBU_SETTINGS);
            PlainMeshParser runs = new PlainMeshParser(new NonClosingStream(in));
            ModelFile parsed = new ModelParser(opener.open(runs), runs, model, strict, root).parse();
            in.transferTo(OutputStream.nullOutputStream());
            return parsed;
        }
    }

    private static BadFileException invalid(String model, Exception broken) {
        for (Throwable cause = broken; cause != null; cause = cause.getCause()) {
            if (cause instanceof BadFileException bad) {
                return bad;
            }
        }
        return SafeXml.toBadFile(model, broken);
    }

    private ModelFile parse() throws XMLStreamException, IOException {
        int depth = 0;
        while (xml.hasNext()) {
            int event = SafeXml.next(xml, model);
            if (event == XMLStreamConstants.START_ELEMENT) {
                if (++depth > MAX_DEPTH) {
                    throw invalid("is nested deeper than any real model");
                }
                startElement();
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
                endElement();
            }
        }
        for (ModelObject shape : objects.values()) {
            if (shape instanceof ComponentObject composed) {
                requireKnown(composed.components());
            }
        }
        if (root && !hasBuild) {
            throw invalid("has no build, so that nothing of it is to be printed");
        }
        return new ModelFile(objects, build, slicePaths, hasSliceReferences, rules.warnings());
    }

    private void requireKnown(List<ObjectPlacement> components) throws BadFileException {
        for (ObjectPlacement component : components) {
            if (component.path() == null && !objects.containsKey(component.objectId())) {
                throw invalid("has a component of an object that it does not hold: " + component.objectId());
            }
        }
    }

    private BadFileException invalid(String why) {
        return new BadFileException(model + " " + why);
    }

    private void startElement() throws BadFileException {
        String prefix = prefix();
        String name = SafeXml.localName(xml.getLocalName());
        if (core == null) {
            if (!name.equals("model")) {
                throw invalid("is no 3MF model: it begins with " + name);
            }
            core = prefix;
            RequiredExtensions.check(xml, model, strict);
            unit = unit(attribute("unit"));
            rules.element(xml, name);
        } else if (core.equals(prefix)) {
            switch (name) {
                case "vertex" -> meshes.vertex(unit);
                case "triangle" -> meshes.triangle(unit);
                default -> {
                    rules.element(xml, name);
                    parseStructure(name);
                }
            }
        } else {
            rules.element(xml, name);
            if (name.equals("beamlattice")) {
                hasBeams = true;
            } else if (name.equals("sliceref")) {
                hasSliceReferences = true;
                String path = attribute("slicepath");
                if (path != null) {
                    slicePaths.add(entryName(path));
                }
            }
        }
    }

    /** The prefix, whether or not the XML reader is namespace-aware. */
    private String prefix() {
        String whole = xml.getLocalName();
        int colon = whole.indexOf(':');
        return colon < 0 ? Objects.requireNonNullElse(xml.getPrefix(), "") : whole.substring(0, colon);
    }

    private void parseStructure(String name) throws BadFileException {
        switch (name) {
            case "object" -> parseObject();
            case "mesh" -> meshes.begin();
            case "components" -> components = new ArrayList<>();
            case "component" -> {
                if (components == null) {
                    throw invalid("has a component outside of any object");
                }
                components.add(parsePlacement());
            }
            case "build" -> hasBuild = true;
            case "item" -> parseItem();
            default -> {}
        }
    }

    private void parseObject() throws BadFileException {
        objectId = Objects.requireNonNullElse(attribute("id"), "");
        objectName = Objects.requireNonNullElse(attribute("name"), "");
        if (objects.size() >= MAX_OBJECTS) {
            throw invalid("has more objects than any real model");
        }
    }

    private void parseItem() throws BadFileException {
        ObjectPlacement item = parsePlacement();
        if (item.path() == null && !objects.containsKey(item.objectId())) {
            throw invalid("builds an object that it does not hold: " + item.objectId());
        }
        rules.requirePrintable(item);
        build.add(item);
    }

    private ObjectPlacement parsePlacement() throws BadFileException {
        if (++places > MAX_PLACES) {
            throw invalid("places objects more than " + MAX_PLACES + " times, which no printer prints");
        }
        String id = attribute("objectid");
        String path = attribute("path");
        String transform = attribute("transform");
        Transform place = transform == null ? Transform.NONE : Transform.parse(transform);
        if (id == null || place == null) {
            throw invalid(id == null ? "places an object without naming it" : "has a transform that is none");
        }
        String printable = attribute("printable");
        if (place.inverse() == null) {
            throw invalid("has a transform that flattens an object to nothing");
        }
        Transform inMillimetres = Transform.scaling(1 / unit).then(place).then(Transform.scaling(unit));
        return new ObjectPlacement(
                path == null ? null : entryName(path), id, unit == 1 ? place : inMillimetres, !"0".equals(printable));
    }

    private static String entryName(String path) {
        return path.startsWith("/") ? path.substring(1) : path;
    }

    private void endElement() throws BadFileException {
        String name = SafeXml.localName(xml.getLocalName());
        if (core == null || !core.equals(prefix())) {
            return;
        }
        if (name.equals("object") && objectId != null) {
            objects.put(objectId, shape(objectId, meshes.end()));
            objectId = null;
            hasBeams = false;
            components = null;
        }
    }

    private ModelObject shape(String id, @Nullable Mesh mesh) throws BadFileException {
        if (mesh != null && mesh.triangles() == 0 && hasBeams) {
            rules.warnings()
                    .add(model + " has an object of nothing but beams, which are neither measured nor drawn: " + id);
            return new ComponentObject(objectName, List.of());
        }
        return mesh == null
                ? new ComponentObject(objectName, components == null ? List.of() : components)
                : new MeshObject(objectName, mesh.joined());
    }

    private @Nullable String attribute(String local) {
        return SafeXml.attribute(xml, local);
    }

    private double unit(@Nullable String unit) throws BadFileException {
        return switch (Objects.requireNonNullElse(unit, "millimeter")) {
            case "micron" -> 0.001;
            case "millimeter" -> 1;
            case "centimeter" -> 10;
            case "inch" -> 25.4;
            case "foot" -> 304.8;
            case "meter" -> 1000;
            default -> throw invalid("has a unit that 3MF does not know: " + unit);
        };
    }
}
