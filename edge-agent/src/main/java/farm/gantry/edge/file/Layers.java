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

/** The positions at which the layers of a G-code file begin, as its slicer marks them; empty without marks. */
public record Layers(List<Layer> all) {
    private static final Pattern MARK = Pattern.compile(";(?:LAYER_CHANGE|LAYER:\\d+| ?CHANGE_LAYER)\\b.*");
    private static final Pattern HEIGHT =
            Pattern.compile("(?:;Z:|; ?Z_HEIGHT: ?|G[01] (?:[^;]* )?Z)(\\d+(?:\\.\\d+)?|\\.\\d+).*");
    /** Tolerance of reported heights, in millimetres. */
    private static final double TOLERANCE = 0.02;
    /** The number of bytes of a line that are examined. */
    private static final int LINE = 120;

    /** The first byte of a layer, and its height in millimetres, null if the file does not give it. */
    public record Layer(long position, @Nullable Double height) {}

    public static Layers of(Path gcode) throws IOException, InterruptedException {
        return FileWork.run(() -> read(gcode));
    }

    private static Layers read(Path gcode) throws IOException {
        List<Layer> layers = new ArrayList<>();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(gcode), 1 << 16)) {
            byte[] line = new byte[LINE];
            int length = 0;
            long begin = 0;
            long at = 0;
            for (int read = in.read(); read >= 0; read = in.read()) {
                at++;
                if (read == '\n') {
                    line(layers, begin, new String(line, 0, length, StandardCharsets.ISO_8859_1));
                    begin = at;
                    length = 0;
                } else if (length < LINE) {
                    line[length++] = (byte) read;
                }
            }
        }
        return new Layers(List.copyOf(layers));
    }

    private static void line(List<Layer> layers, long begin, String line) {
        if (line.startsWith(";") && MARK.matcher(line.strip()).matches()) {
            layers.add(new Layer(begin, null));
        } else if (!layers.isEmpty() && layers.getLast().height() == null) {
            Matcher height = HEIGHT.matcher(line.strip());
            if (height.matches()) {
                layers.set(layers.size() - 1, new Layer(layers.getLast().position(), Double.valueOf(height.group(1))));
            }
        }
    }

    public int count() {
        return all.size();
    }

    /** Returns the number of the layer with this byte, from 1; 0 before the first. */
    public int atByte(long position) {
        return (int) all.stream().filter(layer -> layer.position() <= position).count();
    }

    /** Returns the number of the highest layer up to that height, from 1; null if the file gives no heights. */
    public @Nullable Integer atHeight(double millimetres) {
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
