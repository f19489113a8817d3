package farm.gantry.ingest.threemf;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.threemf.archive.XmlElement;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replaces the meshes of some of a model's objects; paint is written as PrusaSlicer does. */
record MeshReplacement(Map<String, Mesh> objects) implements ModelRewrite.ElementChange {
    @Override
    public Map<String, String> attributes(String element, Map<String, String> attributes) {
        return attributes;
    }

    @Override
    public @Nullable String content(String element, Map<String, String> attributes, String prefix) {
        Mesh mesh = element.equals("object") ? objects.get(attributes.get("id")) : null;
        return mesh == null ? null : written(mesh, prefix);
    }

    private static String written(Mesh mesh, String prefix) {
        var xml = new StringBuilder("<" + prefix + "mesh xmlns:slic3rpe=\"" + PrusaProject.NAMESPACE + "\">");
        xml.append('<').append(prefix).append("vertices>");
        for (int point = 0; point < mesh.points(); point++) {
            xml.append('<').append(prefix).append("vertex x=\"").append(mesh.x(point));
            xml.append("\" y=\"").append(mesh.y(point));
            xml.append("\" z=\"").append(mesh.z(point)).append("\"/>\n");
        }
        xml.append("</").append(prefix).append("vertices><").append(prefix).append("triangles>");
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            xml.append('<').append(prefix).append("triangle v1=\"").append(mesh.corner(triangle, 0));
            xml.append("\" v2=\"").append(mesh.corner(triangle, 1));
            xml.append("\" v3=\"").append(mesh.corner(triangle, 2)).append('"');
            for (PaintLayer brush : PaintLayer.values()) {
                String code = mesh.paint(brush, triangle);
                if (code != null) {
                    xml.append(" slic3rpe:").append(brush.prusa());
                    xml.append("=\"").append(XmlElement.escaped(code)).append('"');
                }
            }
            xml.append("/>\n");
        }
        return xml + "</" + prefix + "triangles></" + prefix + "mesh>";
    }
}
