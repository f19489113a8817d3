package farm.gantry.api;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** JSON already made, of the shape of {@code T}: what a controller returns when no record needs to exist. */
@SuppressWarnings({"UnusedTypeParameter", "ArrayRecordComponent"}) // a buffer with a declared shape, never compared
public record Json<T>(byte[] bytes, int length) {

    /** They, as one array. */
    public static <T> Json<List<T>> array(List<Json<T>> elements) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(
                elements.stream().mapToInt(element -> element.length() + 1).sum() + 2);
        for (Json<T> element : elements) {
            all.write(all.size() == 0 ? '[' : ',');
            all.write(element.bytes(), 0, element.length());
        }
        all.writeBytes((elements.isEmpty() ? "[]" : "]").getBytes(StandardCharsets.US_ASCII));
        return new Json<>(all.toByteArray(), all.size());
    }

    /** This JSON as part of a larger one. */
    public <W> Json<W> within(String before, String after) {
        byte[] head = before.getBytes(StandardCharsets.UTF_8);
        byte[] tail = after.getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(head, head.length + length + tail.length);
        System.arraycopy(bytes, 0, all, head.length, length);
        System.arraycopy(tail, 0, all, head.length + length, tail.length);
        return new Json<>(all, all.length);
    }
}
