package farm.gantry.edge.camera;

import java.io.IOException;

/** What a printer's camera shows: one JPEG or PNG image. */
public final class CameraPicture {
    /** In bytes; nobody has a camera of a printer that shows more. */
    public static final int MAX_SIZE = 8 << 20;

    private final String type;
    private final byte[] bytes;

    private CameraPicture(String type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    /** By its first bytes, whatever a camera calls it. */
    public static CameraPicture of(byte[] bytes) throws IOException {
        if (bytes.length > MAX_SIZE) {
            throw new IOException("the camera's picture is too large");
        }
        if (begins(bytes, 0xFF, 0xD8, 0xFF)) {
            return new CameraPicture("image/jpeg", bytes);
        }
        if (begins(bytes, 0x89, 'P', 'N', 'G')) {
            return new CameraPicture("image/png", bytes);
        }
        throw new IOException("the camera sent no picture");
    }

    private static boolean begins(byte[] bytes, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if (i == bytes.length || (bytes[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    /** Its media type. */
    public String type() {
        return type;
    }

    public byte[] bytes() {
        return bytes.clone();
    }
}
