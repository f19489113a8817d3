package farm.gantry.api.notification;

import java.util.Arrays;
import java.util.Optional;

/** A picture that is sent with a message: a JPEG or PNG image. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MessagePicture(byte[] bytes, String fileName, String mediaType) {
    private static final byte[] JPEG = {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF};
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G'};

    /** Returns the picture of an image file; empty if it is neither JPEG nor PNG. */
    public static Optional<MessagePicture> of(byte[] bytes) {
        if (startsWith(bytes, JPEG)) {
            return Optional.of(new MessagePicture(bytes, "picture.jpg", "image/jpeg"));
        }
        return startsWith(bytes, PNG)
                ? Optional.of(new MessagePicture(bytes, "picture.png", "image/png"))
                : Optional.empty();
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        return bytes.length > prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }
}
