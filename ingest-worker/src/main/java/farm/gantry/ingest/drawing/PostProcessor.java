package farm.gantry.ingest.drawing;

/** Ambient occlusion, soft shadows and antialiasing of a rendered image. */
final class PostProcessor {
    private static final int[][] AROUND = {
        {5, 0}, {-5, 0}, {0, 5}, {0, -5}, {9, 9}, {-9, 9}, {9, -9}, {-9, -9}, {16, 0}, {-16, 0}, {0, 16}, {0, -16}
    };
    private static final double REACH = 0.16;
    private static final double STEP = 0.004;
    private static final double DARKEST = 0.45;
    private static final double SHADOW = 0.34;
    private static final int BLUR = 5;
    private static final int LEVELS = 1024;

    private final Raster raster;
    private final float[] shadow;
    private final int shadowSize;
    private final byte[] shown = new byte[LEVELS];

    PostProcessor(Raster raster, Raster shadow) {
        this.raster = raster;
        this.shadowSize = shadow.size();
        this.shadow = blur(blur(cover(shadow)));
        for (int level = 0; level < LEVELS; level++) {
            shown[level] = (byte) Palette.toSrgb(level / (LEVELS - 1.0));
        }
    }

    /** Red, green, blue and alpha. */
    byte[] pixels(int size) {
        int scale = raster.size() / size;
        byte[] pixels = new byte[size * size * 4];
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                write(pixels, (y * size + x) * 4, x, y, scale);
            }
        }
        return pixels;
    }

    private void write(byte[] pixels, int at, int x, int y, int scale) {
        double red = 0;
        double green = 0;
        double blue = 0;
        int drawn = 0;
        for (int sub = 0; sub < scale * scale; sub++) {
            int px = x * scale + sub % scale;
            int py = y * scale + sub / scale;
            int pixel = py * raster.size() + px;
            if (raster.isDrawn(pixel)) {
                double reached = ambientLight(px, py, pixel);
                int color = raster.light(pixel);
                red += (color >> 20 & 0x3FF) * reached;
                green += (color >> 10 & 0x3FF) * reached;
                blue += (color & 0x3FF) * reached;
                drawn++;
            }
        }
        double cover = (double) drawn / (scale * scale);
        double alpha = cover + (1 - cover) * SHADOW * shadow[y / 2 * shadowSize + x / 2];
        pixels[at + 3] = (byte) Math.round(255 * alpha);
        if (drawn > 0) {
            double part = cover / alpha / drawn;
            pixels[at] = shown[(int) (red * part)];
            pixels[at + 1] = shown[(int) (green * part)];
            pixels[at + 2] = shown[(int) (blue * part)];
        }
    }

    /** Ambient occlusion: how much light reaches a pixel past nearer surfaces around it. */
    private double ambientLight(int x, int y, int pixel) {
        float here = raster.depth(pixel);
        double hidden = 0;
        for (int[] step : AROUND) {
            int nx = x + step[0];
            int ny = y + step[1];
            if (nx >= 0 && ny >= 0 && nx < raster.size() && ny < raster.size()) {
                int other = ny * raster.size() + nx;
                double nearer = raster.isDrawn(other) ? raster.depth(other) - here : 0;
                int opposite = (y - step[1]) * raster.size() + x - step[0];
                boolean slope = opposite >= 0
                        && opposite < raster.size() * raster.size()
                        && raster.isDrawn(opposite)
                        && raster.depth(opposite) < here - nearer * 0.5;
                if (nearer > STEP && !slope) {
                    hidden += Math.max(0, 1 - nearer / REACH);
                }
            }
        }
        return Math.max(DARKEST, 1 - hidden / AROUND.length * 1.1);
    }

    private static float[] cover(Raster shadow) {
        float[] cover = new float[shadow.size() * shadow.size()];
        for (int pixel = 0; pixel < cover.length; pixel++) {
            cover[pixel] = shadow.isDrawn(pixel) ? 1 : 0;
        }
        return cover;
    }

    private float[] blur(float[] sharp) {
        return blurAlong(blurAlong(sharp, 1, shadowSize), shadowSize, 1);
    }

    private float[] blurAlong(float[] sharp, int step, int rows) {
        float[] soft = new float[sharp.length];
        for (int row = 0; row < shadowSize; row++) {
            for (int at = 0; at < shadowSize; at++) {
                float sum = 0;
                for (int near = Math.max(0, at - BLUR); near <= Math.min(shadowSize - 1, at + BLUR); near++) {
                    sum += sharp[row * rows + near * step];
                }
                soft[row * rows + at * step] = sum / (2 * BLUR + 1);
            }
        }
        return soft;
    }
}
