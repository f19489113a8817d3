package farm.gantry.edge.file;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The positions at which the layers of a G-code file begin, according to the comments of its slicer; empty if it has no
 * such comments.
 */
public record LayerIndex(List<LayerStart> all) {
    private static final Pattern MARK = Pattern.compile(";(?:LAYER_CHANGE|LAYER:\\d+| ?CHANGE_LAYER)\\b.*");
    private static final Pattern HEIGHT =
            Pattern.compile("(?:;Z:|; ?Z_HEIGHT: ?|G[01] (?:[^;]* )?Z)(\\d+(?:\\.\\d+)?|\\.\\d+).*");
    /** The tolerance in millimetres when a reported height is compared with a layer's height. */
    private static final double TOLERANCE = 0.02;
    /** The maximum number of bytes of a line that are examined. */
    private static final int MAX_LINE_BYTES = 120;

    /**
     * The start of a layer: its first byte in the file, and its height in millimetres, null if the file does not state
     * it.
     */
    public record LayerStart(long position, @Nullable Double height) {}

    public static LayerIndex read(Path gcode) throws IOException, InterruptedException {
        return FileTaskPool.run(() -> parse(gcode));
    }

    private static LayerIndex parse(Path gcode) throws IOException {
        List<LayerStart> layers = new ArrayList<>();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(gcode), 1 << 16)) {
            byte[] line = new byte[MAX_LINE_BYTES];
            int length = 0;
            long begin = 0;
            long at = 0;
            for (int read = in.read(); read >= 0; read = in.read()) {
                at++;
                if (read == '\n') {
                    addLayerStart(layers, begin, new String(line, 0, length, StandardCharsets.ISO_8859_1));
                    begin = at;
                    length = 0;
                } else if (length < MAX_LINE_BYTES) {
                    line[length++] = (byte) read;
                }
            }
        }
        return new LayerIndex(List.copyOf(layers));
    }

    private static void addLayerStart(List<LayerStart> layers, long begin, String line) {
        if (line.startsWith(";") && MARK.matcher(line.strip()).matches()) {
            layers.add(new LayerStart(begin, null));
        } else if (!layers.isEmpty() && layers.getLast().height() == null) {
            Matcher height = HEIGHT.matcher(line.strip());
            if (height.matches()) {
                layers.set(
                        layers.size() - 1,
                        new LayerStart(layers.getLast().position(), Double.valueOf(height.group(1))));
            }
        }
    }

    public int layerCount() {
        return all.size();
    }

    /** Returns the number of the layer that contains this byte, counted from 1; 0 before the first layer. */
    public int layerAtByte(long position) {
        return (int) all.stream().filter(layer -> layer.position() <= position).count();
    }

    /**
     * Returns the number of the highest layer up to this height, counted from 1; null if the file states no heights.
     */
    public @Nullable Integer layerAtHeight(double millimetres) {
        Integer found = null;
        for (int number = 1; number <= all.size(); number++) {
            Double height = all.get(number - 1).height();
            if (height != null) {
                found = found == null ? (Integer) 0 : found;
                found = height <= millimetres + TOLERANCE ? (Integer) number : found;
            }
        }
        return found;
    }
}
