package farm.gantry.ingest.drawing;

import java.util.Arrays;

/** A square depth buffer with the colour of the nearest surface. */
final class Raster {
    private static final float FAR = Float.NEGATIVE_INFINITY;

    private final int size;
    private final float[] near;
    private final int[] light;

    Raster(int size) {
        this.size = size;
        this.near = new float[size * size];
        this.light = new int[size * size];
        clear();
    }

    void clear() {
        Arrays.fill(near, FAR);
    }

    int size() {
        return size;
    }

    boolean isDrawn(int pixel) {
        return near[pixel] != FAR;
    }

    float depth(int pixel) {
        return near[pixel];
    }

    int light(int pixel) {
        return light[pixel];
    }

    /** Draws a triangle of one colour. Corners are x, y and depth. */
    void drawTriangle(
            float ax, float ay, float az, float bx, float by, float bz, float cx, float cy, float cz, int color) {
        float area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        if (area == 0) {
            return;
        }
        int top = Math.max(0, (int) Math.ceil(Math.min(ay, Math.min(by, cy)) - 0.5f));
        int bottom = Math.min(size - 1, (int) Math.floor(Math.max(ay, Math.max(by, cy)) - 0.5f));
        float dzdx = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / area;
        float dzdy = ((cz - az) * (bx - ax) - (bz - az) * (cx - ax)) / area;
        for (int y = top; y <= bottom; y++) {
            float middle = y + 0.5f;
            float from = Float.POSITIVE_INFINITY;
            float to = Float.NEGATIVE_INFINITY;
            if (crosses(ay, by, middle)) {
                float x = crossing(ax, ay, bx, by, middle);
                from = x;
                to = x;
            }
            if (crosses(by, cy, middle)) {
                float x = crossing(bx, by, cx, cy, middle);
                from = Math.min(from, x);
                to = Math.max(to, x);
            }
            if (crosses(cy, ay, middle)) {
                float x = crossing(cx, cy, ax, ay, middle);
                from = Math.min(from, x);
                to = Math.max(to, x);
            }
            int left = Math.max(0, (int) Math.ceil(from - 0.5f));
            int right = Math.min(size - 1, (int) Math.floor(to - 0.5f));
            if (left > right) {
                continue;
            }
            float z = az + (left + 0.5f - ax) * dzdx + (middle - ay) * dzdy;
            for (int pixel = y * size + left; pixel <= y * size + right; pixel++, z += dzdx) {
                if (z > near[pixel]) {
                    near[pixel] = z;
                    light[pixel] = color;
                }
            }
        }
    }

    private static boolean crosses(float one, float other, float middle) {
        return (one <= middle) != (other <= middle);
    }

    private static float crossing(float ax, float ay, float bx, float by, float middle) {
        return ax + (middle - ay) * (bx - ax) / (by - ay);
    }
}
