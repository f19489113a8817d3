package farm.gantry.api.browser;

/** A vase with waves that turn as they rise, as a solid and as G-code. */
final class TwistedVase {
    private static final int LEVELS = 60;
    private static final int STEPS = 96;

    private TwistedVase() {}

    /** STL as text. */
    static String solid() {
        StringBuilder solid = new StringBuilder("solid vase\n");
        for (int level = 0; level < LEVELS; level++) {
            for (int step = 0; step <= STEPS; step++) {
                facet(solid, point(level, step), point(level, step + 1), point(level + 1, step));
                facet(solid, point(level + 1, step), point(level, step + 1), point(level + 1, step + 1));
            }
        }
        return solid.append("endsolid\n").toString();
    }

    /** G-code of its wall. */
    static String layers() {
        StringBuilder layers = new StringBuilder("M83\n");
        for (int level = 0; level < LEVELS; level++) {
            layers.append(";LAYER:%d%nG1 Z%.2f%n".formatted(level, 0.2 + level * 0.2));
            for (int step = 0; step <= STEPS; step++) {
                layers.append("G1 X%.3f Y%.3f E%d%n".formatted(x(level, step), y(level, step), step == 0 ? 0 : 1));
            }
        }
        return layers.toString();
    }

    private static double x(int level, int step) {
        return radius(level, step) * Math.cos(step * 2 * Math.PI / STEPS);
    }

    private static double y(int level, int step) {
        return radius(level, step) * Math.sin(step * 2 * Math.PI / STEPS);
    }

    private static double radius(int level, int step) {
        return 22 + 8 * Math.sin(level / 12.0) + 2.2 * Math.cos((step + level * 0.6) * Math.PI / 6);
    }

    private static String point(int level, int step) {
        return "vertex %.3f %.3f %.3f".formatted(x(level, step), y(level, step), level * 1.2);
    }

    private static void facet(StringBuilder solid, String... points) {
        solid.append("facet normal 0 0 0\nouter loop\n")
                .append(String.join("\n", points))
                .append("\nendloop\nendfacet\n");
    }
}
