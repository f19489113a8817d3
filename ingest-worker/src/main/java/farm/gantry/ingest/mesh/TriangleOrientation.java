package farm.gantry.ingest.mesh;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Checks and repairs how a mesh's triangles hang together, as slicers do for STL; a 3MF is trusted. */
final class TriangleOrientation {
    /** Triangles; larger meshes are left as they are, since their edges would not fit into memory. */
    private static final int MAX_TRIANGLES = 1_000_000;

    private static final int NONE = -1;
    private static final int MANY = -2;

    private TriangleOrientation() {}

    /**
     * Returns the mesh with consistent orientation: each connected component follows its majority, and normals point
     * outside.
     */
    static Mesh repair(Mesh mesh) {
        if (mesh.triangles() > MAX_TRIANGLES || (isConsistent(mesh) && volume(mesh) >= 0)) {
            return mesh;
        }
        Mesh consistent = mesh.flipped(misoriented(mesh));
        if (volume(consistent) >= 0) {
            return consistent;
        }
        BitSet all = new BitSet();
        all.set(0, mesh.triangles());
        return consistent.flipped(all);
    }

    /**
     * Returns whether each shared edge is used once in each direction. The check is a sum in which opposite directions
     * cancel out.
     */
    private static boolean isConsistent(Mesh mesh) {
        long sum = 0;
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            for (int corner = 0; corner < 3; corner++) {
                int from = mesh.corner(triangle, corner);
                int to = mesh.corner(triangle, (corner + 1) % 3);
                long edge = mixBits(edgeKey(from, to));
                sum += from < to ? edge : -edge;
            }
        }
        return sum == 0;
    }

    /** Whether each edge belongs to an even number of triangles; checked by a parity, in which those cancel out. */
    static boolean isClosed(Mesh mesh) {
        long parity = 0;
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            for (int corner = 0; corner < 3; corner++) {
                int from = mesh.corner(triangle, corner);
                int to = mesh.corner(triangle, (corner + 1) % 3);
                parity ^= from == to ? 0 : mixBits(edgeKey(from, to));
            }
        }
        return parity == 0;
    }

    private static long edgeKey(int from, int to) {
        return ((long) Math.min(from, to) << 32) | Math.max(from, to);
    }

    private static long mixBits(long number) {
        long mixed = (number ^ (number >>> 33)) * 0xFF51AFD7ED558CCDL;
        return (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
    }

    /** In mm³; negative where the inside is out. */
    private static double volume(Mesh mesh) {
        double sum = 0;
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            int a = mesh.corner(triangle, 0);
            int b = mesh.corner(triangle, 1);
            int c = mesh.corner(triangle, 2);
            sum += (double) mesh.x(a) * ((double) mesh.y(b) * mesh.z(c) - (double) mesh.z(b) * mesh.y(c))
                    - (double) mesh.y(a) * ((double) mesh.x(b) * mesh.z(c) - (double) mesh.z(b) * mesh.x(c))
                    + (double) mesh.z(a) * ((double) mesh.x(b) * mesh.y(c) - (double) mesh.y(b) * mesh.x(c));
        }
        return sum;
    }

    /** The triangles oriented against the majority of their connected component. */
    private static BitSet misoriented(Mesh mesh) {
        Map<Long, int[]> edges = edges(mesh);
        BitSet turned = new BitSet();
        BitSet seen = new BitSet();
        for (int first = seen.nextClearBit(0); first < mesh.triangles(); first = seen.nextClearBit(first)) {
            BitSet body = new BitSet();
            BitSet against = new BitSet();
            collectComponent(mesh, edges, first, body, against);
            if (against.cardinality() * 2 > body.cardinality()) {
                BitSet others = (BitSet) body.clone();
                others.andNot(against);
                turned.or(others);
            } else {
                turned.or(against);
            }
            seen.or(body);
        }
        return turned;
    }

    /** The connected component of a triangle, and its triangles of opposite orientation. */
    private static void collectComponent(Mesh mesh, Map<Long, int[]> edges, int first, BitSet body, BitSet against) {
        Deque<Integer> open = new ArrayDeque<>();
        body.set(first);
        open.push(first);
        while (!open.isEmpty()) {
            int triangle = open.pop();
            for (int corner = 0; corner < 3; corner++) {
                int from = mesh.corner(triangle, corner);
                int to = mesh.corner(triangle, (corner + 1) % 3);
                int[] both = edges.getOrDefault(edgeKey(from, to), new int[] {NONE, NONE});
                int other = both[0] == triangle ? both[1] : both[0];
                if (both[1] >= 0 && !body.get(other)) {
                    body.set(other);
                    against.set(other, walksAlong(mesh, other, from, to) != against.get(triangle));
                    open.push(other);
                }
            }
        }
    }

    private static boolean walksAlong(Mesh mesh, int triangle, int from, int to) {
        for (int corner = 0; corner < 3; corner++) {
            if (mesh.corner(triangle, corner) == from && mesh.corner(triangle, (corner + 1) % 3) == to) {
                return true;
            }
        }
        return false;
    }

    /** Returns the two triangles at each edge. Edges at which more than two triangles meet are excluded. */
    private static Map<Long, int[]> edges(Mesh mesh) {
        Map<Long, int[]> edges = new HashMap<>();
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            for (int corner = 0; corner < 3; corner++) {
                int from = mesh.corner(triangle, corner);
                int to = mesh.corner(triangle, (corner + 1) % 3);
                int[] both = edges.computeIfAbsent(edgeKey(from, to), _ -> new int[] {NONE, NONE});
                if (both[0] == NONE) {
                    both[0] = triangle;
                } else {
                    both[1] = both[1] == NONE ? triangle : MANY;
                }
            }
        }
        return edges;
    }
}
