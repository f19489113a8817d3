package farm.gantry.api.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Serialised JSON of the shape of {@code T}: returned by routes whose JSON is built without records. */
@SuppressWarnings({"UnusedTypeParameter", "ArrayRecordComponent"}) // a buffer with a declared shape, never compared
public record RawJson<T>(byte[] bytes, int length) {

    public static <T> RawJson<T> of(byte[] bytes) {
        return new RawJson<>(bytes, bytes.length);
    }

    public static <T> RawJson<T> of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public String text() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** A JSON array of the elements. */
    public static <T> RawJson<List<T>> array(List<RawJson<T>> elements) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(
                elements.stream().mapToInt(element -> element.length() + 1).sum() + 2);
        for (RawJson<T> element : elements) {
            all.write(all.size() == 0 ? '[' : ',');
            all.write(element.bytes(), 0, element.length());
        }
        all.writeBytes((elements.isEmpty() ? "[]" : "]").getBytes(StandardCharsets.US_ASCII));
        return new RawJson<>(all.toByteArray(), all.size());
    }

    /** This JSON with text before and after it. */
    public <W> RawJson<W> wrap(String before, String after) {
        byte[] head = before.getBytes(StandardCharsets.UTF_8);
        byte[] tail = after.getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(head, head.length + length + tail.length);
        System.arraycopy(bytes, 0, all, head.length, length);
        System.arraycopy(tail, 0, all, head.length + length, tail.length);
        return of(all);
    }
}
