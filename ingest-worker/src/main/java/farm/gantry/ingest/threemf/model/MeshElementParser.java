package farm.gantry.ingest.threemf.model;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.SafeXml;
import java.util.Objects;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Collects the points and triangles of an object's mesh from the XML reader, one by one or in runs. */
final class MeshElementParser {
    private static final int CORNERS = 3;
    private static final int MAX_TRIANGLES = 4_000_000;

    private final XMLStreamReader xml;
    private final PlainMeshParser runs;
    private final String model;
    private final ResourceRules rules;
    private Mesh.@Nullable Builder mesh;

    MeshElementParser(XMLStreamReader xml, PlainMeshParser runs, String model, ResourceRules rules) {
        this.xml = xml;
        this.runs = runs;
        this.model = model;
        this.rules = rules;
    }

    void begin() {
        mesh = new Mesh.Builder(MAX_TRIANGLES);
    }

    /** The object's mesh; null if it has none. */
    @Nullable
    Mesh end() {
        Mesh.Builder built = mesh;
        mesh = null;
        return built == null ? null : built.build();
    }

    void vertex(double unit) throws BadFileException {
        MeshRun run = run();
        if (mesh == null) {
            return;
        }
        if (run == null) {
            mesh.point(coordinate("x", unit), coordinate("y", unit), coordinate("z", unit));
        } else {
            run.addTo(mesh, unit);
        }
    }

    /** Returns the run that the element stands for; null for an ordinary element. */
    private @Nullable MeshRun run() {
        return xml.getAttributeCount() > 0 && runs.mark().equals(xml.getAttributeLocalName(0))
                ? runs.take(xml.getAttributeValue(0))
                : null;
    }

    private float coordinate(String name, double unit) throws BadFileException {
        String text = SafeXml.attribute(xml, name);
        try {
            return (float) (Float.parseFloat(Objects.requireNonNullElse(text, "")) * unit);
        } catch (NumberFormatException garbage) {
            throw new BadFileException(model + " has a point without a coordinate " + name);
        }
    }

    void triangle(double unit) throws BadFileException {
        MeshRun run = run();
        if (mesh == null) {
            return;
        }
        if (run != null) {
            rules.triangle(xml);
            run.addTo(mesh, unit);
            return;
        }
        int one = -1;
        int two = -1;
        int three = -1;
        boolean property = false;
        for (int index = 0; index < xml.getAttributeCount(); index++) {
            switch (SafeXml.localName(xml.getAttributeLocalName(index))) {
                case "v1" -> one = point(index);
                case "v2" -> two = point(index);
                case "v3" -> three = point(index);
                case "pid" -> property = true;
                default -> {}
            }
        }
        if (property) {
            rules.triangle(xml);
        }
        mesh.triangle(one, two, three);
        if (xml.getAttributeCount() > CORNERS) {
            paint(mesh);
        }
    }

    /** One code is on many triangles. */
    private void paint(Mesh.Builder painted) {
        for (int index = 0; index < xml.getAttributeCount(); index++) {
            String code = xml.getAttributeValue(index);
            for (PaintLayer brush : PaintLayer.values()) {
                if (!code.isEmpty() && brush.isNamed(SafeXml.localName(xml.getAttributeLocalName(index)))) {
                    painted.paint(brush, code.intern());
                }
            }
        }
    }

    private int point(int attribute) {
        try {
            return Integer.parseInt(xml.getAttributeValue(attribute));
        } catch (NumberFormatException garbage) {
            return -1;
        }
    }
}
