package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.BadFileException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Reads and writes STL. Binary STL has no signature, and its header often looks like the start of a text STL. */
public final class StlFile {
    private static final int MAX_TRIANGLES = 8_000_000;
    private static final int HEADER = 80;
    private static final int TRIANGLE = 50;
    private static final int BUFFER = 1 << 16;
    private static final int CORNERS = 3;
    private static final int OBJ_START = 1 << 14;
    private static final Pattern OBJ_VERTEX = Pattern.compile("v(?:\\s+[-+.\\deE]+){3}");

    private StlFile() {}

    /** Reads a mesh, joins equal points and turns all faces outwards. */
    public static Mesh read(Path file) throws IOException {
        Mesh mesh = readAsWritten(file);
        if (mesh.triangles() == 0) {
            throw new BadFileException("The STL contains no triangle");
        }
        return TriangleOrientation.repair(mesh);
    }

    /** The tessellation of a solid, which has triangles all around. */
    public static Mesh readTessellation(Path file) throws IOException {
        Mesh mesh = readAsWritten(file);
        if (mesh.triangles() == 0) {
            throw new BadFileException("The model holds no solid. Of an assembly whose parts lie in other files, export"
                    + " the parts into one file");
        }
        if (!TriangleOrientation.isClosed(mesh)) {
            throw new BadFileException(
                    "The surface of the model is not closed after its conversion to triangles, so that"
                            + " another shape would print: faces are missing in it, or the reader of STEP cannot convert them."
                            + " Export the model as STL or 3MF");
        }
        return TriangleOrientation.repair(mesh);
    }

    private static Mesh readAsWritten(Path file) throws IOException {
        long size = Files.size(file);
        Mesh mesh;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER)) {
            in.mark(HEADER + Integer.BYTES);
            byte[] head = in.readNBytes(HEADER + Integer.BYTES);
            boolean whole = head.length == HEADER + Integer.BYTES;
            long triangles = whole ? declaredTriangles(head) : 0;
            long needed = HEADER + Integer.BYTES + triangles * TRIANGLE;
            if (isText(head) && !(whole && size == needed)) {
                in.reset();
                mesh = StlTextParser.read(in, MAX_TRIANGLES);
            } else if (!whole || size < needed) {
                throw new BadFileException(explainRejection(file, whole, triangles));
            } else {
                mesh = readBinary(in, triangles);
            }
        }
        return mesh;
    }

    /** Returns why the file is not an STL: it looks like another format, or its length is wrong. */
    private static String explainRejection(Path file, boolean hasCount, long triangles) throws IOException {
        if (isObj(file)) {
            return "The file is an OBJ, not an STL. Export the model as STL, 3MF or STEP";
        }
        long size = Files.size(file);
        return hasCount
                ? "The STL is cut off: it announces " + triangles + " triangles and is only " + size + " bytes"
                : "The STL is cut off: it is only " + size + " bytes, and its header alone has "
                        + (HEADER + Integer.BYTES);
    }

    /** Whether one of the first lines is a vertex of an OBJ. */
    private static boolean isObj(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String start = new String(in.readNBytes(OBJ_START), StandardCharsets.ISO_8859_1);
            return start.indexOf('\0') < 0
                    && start.lines().anyMatch(line -> OBJ_VERTEX.matcher(line).lookingAt());
        }
    }

    private static long declaredTriangles(byte[] head) {
        return Integer.toUnsignedLong(
                ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(HEADER));
    }

    private static boolean isText(byte[] head) {
        String start = new String(head, StandardCharsets.ISO_8859_1);
        return start.indexOf('\0') < 0
                && start.replace("\u00ef\u00bb\u00bf", "").stripLeading().regionMatches(true, 0, "solid", 0, 5);
    }

    private static Mesh readBinary(InputStream in, long triangles) throws IOException {
        var mesh = new Mesh.Builder(MAX_TRIANGLES);
        var record = ByteBuffer.allocate(TRIANGLE).order(ByteOrder.LITTLE_ENDIAN);
        int[] facet = new int[CORNERS];
        for (long triangle = 0; triangle < triangles; triangle++) {
            if (in.readNBytes(record.array(), 0, TRIANGLE) < TRIANGLE) {
                throw new BadFileException("The STL is cut off");
            }
            for (int corner = 0; corner < CORNERS; corner++) {
                int at = (1 + corner) * CORNERS * Float.BYTES;
                facet[corner] = mesh.joined(record.getFloat(at), record.getFloat(at + 4), record.getFloat(at + 8));
            }
            mesh.triangle(facet[0], facet[1], facet[2]);
        }
        return mesh.build();
    }

    /** Writes all printed volumes of the scene as one binary STL. */
    public static void write(Scene scene, Path file) throws IOException {
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER))) {
            var volumes = scene.items().stream()
                    .flatMap(item -> item.volumes().stream())
                    .filter(volume -> volume.kind() == Volume.Kind.PART)
                    .toList();
            int triangles = volumes.stream()
                    .mapToInt(volume -> volume.mesh().triangles())
                    .sum();
            out.write(new byte[HEADER]);
            out.writeInt(Integer.reverseBytes(triangles));
            for (Volume volume : volumes) {
                write(out, volume);
            }
        }
    }

    private static void write(DataOutputStream out, Volume volume) throws IOException {
        var record = ByteBuffer.allocate(TRIANGLE).order(ByteOrder.LITTLE_ENDIAN);
        Mesh mesh = volume.mesh();
        boolean mirrored = volume.place().isMirror();
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            record.clear().position(CORNERS * Float.BYTES);
            for (int corner = 0; corner < CORNERS; corner++) {
                int point = mesh.corner(triangle, mirrored ? CORNERS - 1 - corner : corner);
                record.putFloat((float) volume.place().x(mesh.x(point), mesh.y(point), mesh.z(point)))
                        .putFloat((float) volume.place().y(mesh.x(point), mesh.y(point), mesh.z(point)))
                        .putFloat((float) volume.place().z(mesh.x(point), mesh.y(point), mesh.z(point)));
            }
            out.write(record.array());
        }
    }
}
