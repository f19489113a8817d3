package farm.gantry.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** JSON already made, of the shape of {@code T}: what a controller returns when no record needs to exist. */
@SuppressWarnings({"UnusedTypeParameter", "ArrayRecordComponent"}) // a buffer with a declared shape, never compared
public record Json<T>(byte[] bytes, int length) {

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
