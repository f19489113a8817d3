package farm.gantry.ingest.threemf.model;

import farm.gantry.Id;
import farm.gantry.ingest.threemf.archive.BlockStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Removes plain points and triangles from a model's bytes, because most of a model is nothing else and XML readers are
 * slow at it. In their place, one element names the run of them, under a name that no file can know; an element that is
 * not quite plain stays as it is.
 */
final class PlainMeshParser extends BlockStream {
    private static final int BUFFER = 1 << 16;
    /** The assumed maximum length of a plain element; a longer one at the end of the buffer stays as it is. */
    private static final int MAX_ELEMENT_BYTES = 256;

    /** Runs are taken as soon as the XML reader meets them; those in comments never are. */
    private static final int MAX_RUNS = 512;

    private final InputStream in;
    private final String mark = "run-" + Id.random(16);
    private final LinkedHashMap<String, MeshRun> runs = new LinkedHashMap<>();
    private final byte[] raw = new byte[BUFFER + ByteParser.BEYOND];
    private final ByteParser cursor = new ByteParser(raw);
    private final PlainPointParser points = new PlainPointParser();
    private final PlainTriangleParser triangles = new PlainTriangleParser();
    private int position;
    private int limit;
    private boolean ended;
    private int number;

    PlainMeshParser(InputStream in) {
        this.in = in;
    }

    /** The attribute that stands for a run. */
    String mark() {
        return mark;
    }

    /** Removes and returns the run of that name; null if there is none. */
    @Nullable
    MeshRun take(String name) {
        return runs.remove(name);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    @Override
    protected ByteBuffer next() throws IOException {
        while ((limit - position >= MAX_ELEMENT_BYTES || fill()) && isPlain()) {
            cursor.skipBlanks(limit);
            position = cursor.at();
        }
        if (!points.isEmpty()) {
            return toElement("<vertex ", points.run(), "");
        } else if (!triangles.isEmpty()) {
            int group = triangles.group();
            String attributes = group == PlainTriangleParser.NO_GROUP ? "" : " pid=\"" + group + '"';
            return toElement("<triangle ", triangles.run(), attributes);
        }
        return bytesBeforeElement();
    }

    /** Adds the next element to the current run. Returns false if it is not plain or belongs to another run. */
    private boolean isPlain() {
        if (raw[position] != '<') {
            return false;
        }
        cursor.moveTo(position);
        return raw[position + 1] == 'v'
                ? triangles.isEmpty() && points.read(cursor, limit)
                : points.isEmpty() && triangles.read(cursor, limit);
    }

    /** False at the end of the model. */
    private boolean fill() throws IOException {
        System.arraycopy(raw, position, raw, 0, limit - position);
        limit -= position;
        position = 0;
        while (!ended && limit < MAX_ELEMENT_BYTES) {
            int count = in.read(raw, limit, BUFFER - limit);
            ended = count < 0;
            limit += Math.max(0, count);
        }
        return limit > 0;
    }

    /** Returns the bytes before the next element. */
    private ByteBuffer bytesBeforeElement() {
        int from = position;
        position = Math.min(position + 1, limit);
        while (position < limit && raw[position] != '<') {
            position++;
        }
        return ByteBuffer.wrap(raw, from, position - from);
    }

    /** Converts a run that has ended to one element. */
    private ByteBuffer toElement(String beginning, MeshRun run, String attributes) {
        String name = Integer.toString(number++);
        runs.put(name, run);
        if (runs.size() > MAX_RUNS) {
            runs.pollFirstEntry();
        }
        String text = beginning + mark + "=\"" + name + '"' + attributes + "/>";
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
