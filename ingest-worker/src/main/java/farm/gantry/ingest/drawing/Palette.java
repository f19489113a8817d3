package farm.gantry.ingest.drawing;

import java.util.List;

/** The filaments' colours as linear light, limited so that shapes stay visible in black and in white. */
final class Palette {
    private static final int USUAL = 0x8FA9BF;
    private static final double DARKEST = 0.018;
    private static final double BRIGHTEST = 0.86;
    private static final double GAMMA = 2.2;

    private final float[][] colors;

    /** Parses {@code #RRGGBB}. A filament without a colour gets the default. */
    Palette(List<String> colors) {
        this.colors = new float[Math.max(1, colors.size())][];
        for (int tool = 0; tool < this.colors.length; tool++) {
            this.colors[tool] = toLinear(tool < colors.size() ? parseRgb(colors.get(tool)) : USUAL);
        }
    }

    private static int parseRgb(String color) {
        String digits = color.startsWith("#") ? color.substring(1) : color;
        try {
            return digits.length() < 6 ? USUAL : Integer.parseInt(digits.substring(0, 6), 16);
        } catch (NumberFormatException noColor) {
            return USUAL;
        }
    }

    private static float[] toLinear(int rgb) {
        float[] light = new float[3];
        for (int channel = 0; channel < 3; channel++) {
            double value = Math.pow((rgb >> (16 - 8 * channel) & 0xFF) / 255.0, GAMMA);
            light[channel] = (float) (DARKEST + (BRIGHTEST - DARKEST) * value);
        }
        return light;
    }

    float[] color(int tool) {
        return colors[Math.min(tool, colors.length - 1)];
    }

    /** The sRGB value of a linear amount of light. */
    static int toSrgb(double light) {
        return (int) Math.round(255 * Math.pow(Math.clamp(light, 0, 1), 1 / GAMMA));
    }
}
