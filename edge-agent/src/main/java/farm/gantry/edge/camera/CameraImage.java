package farm.gantry.edge.camera;

import java.io.IOException;

/** A camera image from a printer, in JPEG or PNG. */
public final class CameraImage {
    /** The maximum size in bytes. No known printer camera sends more. */
    public static final int MAX_SIZE = 8 << 20;

    private final String type;
    private final byte[] bytes;

    private CameraImage(String type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /**
     * Creates an image whose format is detected by its first bytes; the media type that the camera declares is ignored.
     */
    public static CameraImage of(byte[] bytes) throws IOException {
        if (bytes.length > MAX_SIZE) {
            throw new IOException("the camera image is too large");
        }
        if (startsWith(bytes, 0xFF, 0xD8, 0xFF)) {
            return new CameraImage("image/jpeg", bytes);
        }
        if (startsWith(bytes, 0x89, 'P', 'N', 'G')) {
            return new CameraImage("image/png", bytes);
        }
        throw new IOException("the camera sent no image");
    }

    private static boolean startsWith(byte[] bytes, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if (i == bytes.length || (bytes[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    /** Returns the media type. */
    public String type() {
        return type;
    }

    public byte[] bytes() {
        return bytes.clone();
    }
}
