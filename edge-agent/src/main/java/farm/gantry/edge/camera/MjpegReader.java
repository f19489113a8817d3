package farm.gantry.edge.camera;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads Motion JPEG, a sequence of JPEG images with any bytes between them. */
public final class MjpegReader {
    private static final int MARKER = 0xFF;
    private static final int START_OF_IMAGE = 0xD8;
    private static final int END_OF_IMAGE = 0xD9;
    private static final int START_OF_SCAN = 0xDA;
    private static final int FIRST_RESTART = 0xD0;
    private static final int LAST_RESTART = 0xD7;

    private final InputStream in;
    private final ByteArrayOutputStream image = new ByteArrayOutputStream();

    private MjpegReader(InputStream in) {
        this.in = in;
    }

    /**
     * Returns the first whole image. It is parsed segment by segment, because a preview inside it may contain an
     * end-of-image marker.
     */
    public static CameraImage readFirstImage(InputStream in) throws IOException {
        return new MjpegReader(new BufferedInputStream(in)).readNextImage();
    }

    private CameraImage readNextImage() throws IOException {
        int before = readByte();
        for (int next = readByte(); before != MARKER || next != START_OF_IMAGE; next = readByte()) {
            before = next;
        }
        image.reset();
        image.write(MARKER);
        image.write(START_OF_IMAGE);
        int marker = readMarker();
        while (marker != END_OF_IMAGE) {
            readSegment();
            marker = marker == START_OF_SCAN ? skipScan() : readMarker();
        }
        return CameraImage.of(image.toByteArray());
    }

    private int readMarker() throws IOException {
        if (readByte() != MARKER) {
            throw new IOException("the camera sent a damaged image");
        }
        int code = readByte();
        while (code == MARKER) {
            code = readByte();
        }
        return code;
    }

    private void readSegment() throws IOException {
        int length = readByte() << 8 | readByte();
        for (int i = 2; i < length; i++) {
            readByte();
        }
    }

    /**
     * Skips the entropy-coded data, in which 0xFF is followed by 0 or by a restart marker, and returns the marker after
     * it.
     */
    private int skipScan() throws IOException {
        while (true) {
            int code = readByte();
            while (code == MARKER) {
                code = readByte();
                if (code != MARKER && code != 0 && (code < FIRST_RESTART || code > LAST_RESTART)) {
                    return code;
                }
            }
        }
    }

    private int readByte() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new IOException("the camera's video ended before the first image");
        }
        image.write(next);
        if (image.size() > CameraImage.MAX_SIZE) {
            throw new IOException("the camera image is too large");
        }
        return next;
    }
}
