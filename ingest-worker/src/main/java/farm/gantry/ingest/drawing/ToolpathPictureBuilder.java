package farm.gantry.ingest.drawing;

import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.Png;
import java.util.List;

/**
 * Draws a picture of a G-code's toolpath while its moves are read, so that no move is stored. Every extruded line shows
 * its top and the side that faces the viewer.
 */
public final class ToolpathPictureBuilder implements ExtrusionListener {
    private static final double USUAL_WIDTH = 0.5;
    private static final double USUAL_HEIGHT = 0.2;
    private static final double MAX_LAYER = 1;
    private static final double THINNEST = 1.2;
    private static final double THICKEST = 40;
    private static final double MIN_LENGTH = 2;
    /** Only every eighth layer casts a shadow, because those of the layers between hardly differ. */
    private static final int LAYERS_PER_SHADOW = 8;

    private static final double SHADOW_SCALE = 0.5;
    private static final int DIRECTIONS = 64;
    private static final int MAX_TOOLS = 64;
    private static final int POINT = 3;
    /** The maximum number of drawn pixels; they take seconds, and no real print has more. */
    private static final long MAX_PIXELS = 3_000_000_000L;

    private final Bounds bounds;
    private final ViewProjection projection;
    private final int size;
    private final Raster raster;
    private final Raster shadow;
    private final double[] fit;
    private final double pixelsPerMillimetre;
    private final double halfWidth;
    /** For each direction of a line, the side of it that faces the viewer. */
    private final double[] sides = new double[DIRECTIONS];

    private final int[][] walls;
    private final int[] tops;
    private final float[] corners = new float[6 * POINT];
    private final float[] ground = new float[4 * POINT];
    private double layer;
    private int layers;
    private double layerHeight = USUAL_HEIGHT;
    private double fromX;
    private double fromY;
    private double endX = Double.NaN;
    private double endY = Double.NaN;
    private int lastTool;
    private long pixels;

    /** {@code width} is that of a line, in mm; 0 where it is unknown. */
    public ToolpathPictureBuilder(Bounds bounds, List<String> colors, double width, int size) {
        this.bounds = bounds;
        this.projection = new ViewProjection(bounds);
        this.size = size;
        this.raster = new Raster(size * SceneRenderer.OVERSAMPLING);
        this.shadow = new Raster(size / 2);
        this.fit = ViewProjection.fit(box(), size);
        this.pixelsPerMillimetre = fit[0] * SceneRenderer.OVERSAMPLING / projection.radius();
        this.halfWidth = Math.clamp(
                (width > 0 ? width : USUAL_WIDTH) / 2,
                THINNEST / 2 / pixelsPerMillimetre,
                THICKEST / 2 / pixelsPerMillimetre);
        var palette = new Palette(colors);
        int tools = Math.clamp(colors.size(), 1, MAX_TOOLS);
        this.walls = new int[tools][DIRECTIONS];
        this.tops = new int[tools];
        for (int tool = 0; tool < tools; tool++) {
            shade(palette.color(tool), tool);
        }
    }

    private void shade(float[] color, int tool) {
        double[] upward = {0, 0, 1};
        projection.toViewSpace(upward);
        tops[tool] = SceneRenderer.shade(color, upward);
        for (int direction = 0; direction < DIRECTIONS; direction++) {
            double angle = 2 * Math.PI * direction / DIRECTIONS;
            double[] normal = {Math.sin(angle), -Math.cos(angle), 0};
            projection.toViewSpace(normal);
            sides[direction] = normal[2] < 0 ? -1 : 1;
            walls[tool][direction] = SceneRenderer.shade(color, normal);
        }
    }

    /** Returns the bounding box on the picture plane of the bounds and of their shadow. */
    private double[] box() {
        double[] box = SceneRenderer.emptyBox();
        float[] projected = new float[3 * POINT];
        for (int corner = 0; corner < 4; corner++) {
            double x = corner % 2 == 0 ? bounds.minX() : bounds.maxX();
            double y = corner / 2 == 0 ? bounds.minY() : bounds.maxY();
            projection.project(x, y, bounds.minZ(), projected, 0);
            projection.project(x, y, bounds.maxZ(), projected, POINT);
            projection.cast(x, y, bounds.maxZ(), bounds.minZ(), projected, 2 * POINT);
            SceneRenderer.extendBox(box, projected);
        }
        return box;
    }

    @Override
    public void line(double fromX, double fromY, double toX, double toY, double z, int tool) {
        if (fromX != endX || fromY != endY || z != layer || tool != lastTool) {
            this.fromX = fromX;
            this.fromY = fromY;
        }
        if (z != layer) {
            layerHeight = z > layer ? Math.min(z - layer, MAX_LAYER) : layerHeight;
            layer = z;
            layers++;
        }
        endX = toX;
        endY = toY;
        lastTool = tool;
        double length = Math.hypot(toX - this.fromX, toY - this.fromY);
        if (length * pixelsPerMillimetre >= MIN_LENGTH && pixels < MAX_PIXELS) {
            draw(length, Math.min(tool, tops.length - 1));
            this.fromX = toX;
            this.fromY = toY;
        }
    }

    /** Draws from the end of the last visible piece to the end of this one; shorter pieces are joined. */
    private void draw(double length, int tool) {
        double alongX = (endX - fromX) / length * halfWidth;
        double alongY = (endY - fromY) / length * halfWidth;
        int direction = (int) Math.rint(Math.atan2(alongY, alongX) / (2 * Math.PI) * DIRECTIONS) & (DIRECTIONS - 1);
        double nearX = alongY * sides[direction];
        double nearY = -alongX * sides[direction];
        double height = Math.max(layerHeight, THINNEST / pixelsPerMillimetre);
        double startX = fromX - alongX;
        double startY = fromY - alongY;
        double stopX = endX + alongX;
        double stopY = endY + alongY;
        projection.project(startX + nearX, startY + nearY, layer, corners, 0);
        projection.project(stopX + nearX, stopY + nearY, layer, corners, POINT);
        projection.project(stopX - nearX, stopY - nearY, layer, corners, 2 * POINT);
        projection.project(startX - nearX, startY - nearY, layer, corners, 3 * POINT);
        projection.project(stopX + nearX, stopY + nearY, layer - height, corners, 4 * POINT);
        projection.project(startX + nearX, startY + nearY, layer - height, corners, 5 * POINT);
        SceneRenderer.place(corners, fit, SceneRenderer.OVERSAMPLING);
        fillQuad(raster, corners, 2 * POINT, 3 * POINT, tops[tool]);
        fillQuad(raster, corners, 4 * POINT, 5 * POINT, walls[tool][direction]);
        if (layers % LAYERS_PER_SHADOW == 1) {
            castShadow(startX, startY, stopX, stopY, nearX, nearY);
        }
        pixels += (long)
                ((length + 2 * halfWidth) * (2 * halfWidth + height) * pixelsPerMillimetre * pixelsPerMillimetre);
    }

    private void castShadow(double startX, double startY, double stopX, double stopY, double nearX, double nearY) {
        projection.cast(startX + nearX, startY + nearY, layer, bounds.minZ(), ground, 0);
        projection.cast(stopX + nearX, stopY + nearY, layer, bounds.minZ(), ground, POINT);
        projection.cast(stopX - nearX, stopY - nearY, layer, bounds.minZ(), ground, 2 * POINT);
        projection.cast(startX - nearX, startY - nearY, layer, bounds.minZ(), ground, 3 * POINT);
        SceneRenderer.place(ground, fit, SHADOW_SCALE);
        fillQuad(shadow, ground, 2 * POINT, 3 * POINT, 0);
    }

    /** Draws the quadrilateral between the first two corners and two others. */
    private static void fillQuad(Raster raster, float[] corners, int third, int fourth, int color) {
        SceneRenderer.fillTriangle(raster, corners, 0, POINT, third, color);
        SceneRenderer.fillTriangle(raster, corners, 0, third, fourth, color);
    }

    @Override
    public void discard() {
        raster.clear();
        shadow.clear();
        endX = Double.NaN;
        layer = 0;
        layers = 0;
        pixels = 0;
    }

    public byte[] png() {
        return Png.encode(size, size, new PostProcessor(raster, shadow).pixels(size));
    }
}
