package farm.gantry.ingest.lettering;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.part.PartParameter.Sizing;
import java.util.HashMap;
import java.util.Map;
import org.locationtech.jts.algorithm.Orientation;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.triangulate.polygon.PolygonTriangulator;

/** Builds the mesh of a text with the position and depth of the mesh that it replaces. */
public final class TextMeshBuilder {
    private static final int MAX_TRIANGLES = 1_000_000;
    private static final int MAX_LENGTH = 500;

    private final Mesh.Builder mesh = new Mesh.Builder(MAX_TRIANGLES);
    private final Map<Coordinate, Integer> points = new HashMap<>();
    private final Placement placement;

    private TextMeshBuilder(Placement placement) {
        this.placement = placement;
    }

    /**
     * How an outline becomes a solid: scale and translation in its two directions, and its depth. {@code
     * flat} is the axis that the old letters are thinnest along (0 to 2).
     */
    private record Placement(
            int flat, double scaleX, double scaleY, double shiftX, double shiftY, double low, double high) {
        void add(Mesh.Builder mesh, Coordinate at, boolean top) throws BadFileException {
            float x = (float) (at.x * scaleX + shiftX);
            float y = (float) (at.y * scaleY + shiftY);
            float z = (float) (top ? high : low);
            switch (flat) {
                case 0 -> mesh.point(z, x, y);
                case 1 -> mesh.point(x, z, y);
                default -> mesh.point(x, y, z);
            }
        }

        /** Returns whether the outline is mirrored, as it is in the plane of X and Z. */
        boolean isMirrored() {
            return flat == 1;
        }
    }

    /**
     * The new text's mesh. Letters keep the old ones' size where they have room ({@code fit}), or wherever they reach
     * ({@code unconstrained}), or are pulled to fill the old ones' place ({@code stretch}).
     */
    public static Mesh build(String text, String before, Typeface face, Mesh old, Sizing sizing)
            throws BadFileException {
        Geometry outline = face.outline(text.substring(0, Math.min(MAX_LENGTH, text.length())));
        if (outline.isEmpty()) {
            throw new BadFileException("The text '" + text + "' has no letters that can be printed");
        }
        Bounds room = old.bounds(Transform.NONE);
        TextMeshBuilder textMesh = new TextMeshBuilder(
                placement(outline.getEnvelopeInternal(), face.outline(before).getEnvelopeInternal(), room, sizing));
        for (int at = 0; at < outline.getNumGeometries(); at++) {
            if (outline.getGeometryN(at) instanceof Polygon polygon) {
                textMesh.add(polygon);
            }
        }
        return textMesh.mesh.build();
    }

    private static Placement placement(Envelope text, Envelope before, Bounds room, Sizing sizing) {
        double[] low = {room.minX(), room.minY(), room.minZ()};
        double[] high = {room.maxX(), room.maxY(), room.maxZ()};
        int flat = 2;
        for (int axis = 1; axis >= 0; axis--) {
            flat = high[axis] - low[axis] < high[flat] - low[flat] ? axis : flat;
        }
        int across = flat == 0 ? 1 : 0;
        int along = flat == 2 ? 1 : 2;
        double width = high[across] - low[across];
        double height = high[along] - low[along];
        double fitted = Math.min(width / text.getWidth(), height / text.getHeight());
        double same = before.isNull() || before.getHeight() == 0 ? fitted : height / before.getHeight();
        double scaleX = switch (sizing) {
            case stretch -> width / text.getWidth();
            case fit -> Math.min(same, fitted);
            case unconstrained -> same;
        };
        double scaleY = switch (sizing) {
            case stretch -> height / text.getHeight();
            case fit -> Math.min(same, fitted);
            case unconstrained -> same;
        };
        Coordinate middle = text.centre();
        return new Placement(
                flat,
                scaleX,
                scaleY,
                (low[across] + high[across]) / 2 - middle.x * scaleX,
                (low[along] + high[along]) / 2 - middle.y * scaleY,
                low[flat],
                high[flat]);
    }

    private void add(Polygon letter) throws BadFileException {
        Geometry faces = PolygonTriangulator.triangulate(letter);
        for (int at = 0; at < faces.getNumGeometries(); at++) {
            Coordinate[] corners = faces.getGeometryN(at).getCoordinates();
            boolean left = Orientation.isCCW(corners);
            addFaces(corners[0], corners[left ? 1 : 2], corners[left ? 2 : 1]);
        }
        addWalls(letter.getExteriorRing(), true);
        for (int hole = 0; hole < letter.getNumInteriorRing(); hole++) {
            addWalls(letter.getInteriorRingN(hole), false);
        }
    }

    private void addFaces(Coordinate a, Coordinate b, Coordinate c) throws BadFileException {
        addTriangle(topPoint(a), topPoint(b), topPoint(c));
        addTriangle(bottomPoint(a), bottomPoint(c), bottomPoint(b));
    }

    /** The outside of a letter is to the right of its edge, and that of its holes to the left. */
    private void addWalls(LinearRing ring, boolean outer) throws BadFileException {
        Coordinate[] corners = ring.getCoordinates();
        boolean forward = Orientation.isCCW(corners) == outer;
        for (int at = 0; at + 1 < corners.length; at++) {
            Coordinate from = corners[forward ? at : at + 1];
            Coordinate to = corners[forward ? at + 1 : at];
            addTriangle(bottomPoint(from), bottomPoint(to), topPoint(to));
            addTriangle(bottomPoint(from), topPoint(to), topPoint(from));
        }
    }

    private void addTriangle(int a, int b, int c) throws BadFileException {
        if (placement.isMirrored()) {
            mesh.triangle(a, c, b);
        } else {
            mesh.triangle(a, b, c);
        }
    }

    private int bottomPoint(Coordinate at) throws BadFileException {
        Integer known = points.get(at);
        if (known != null) {
            return known;
        }
        int fresh = mesh.points();
        placement.add(mesh, at, false);
        placement.add(mesh, at, true);
        points.put(at, fresh);
        return fresh;
    }

    private int topPoint(Coordinate at) throws BadFileException {
        return bottomPoint(at) + 1;
    }
}
