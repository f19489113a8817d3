package farm.gantry.edge.camera;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** JPEG images one after the other, with whatever a camera says in between. */
public final class Film {
    private static final int MARK = 0xFF;
    private static final int BEGIN = 0xD8;
    private static final int END = 0xD9;
    private static final int SCAN = 0xDA;
    private static final int FIRST_RESTART = 0xD0;
    private static final int LAST_RESTART = 0xD7;

    private final InputStream in;
    private final ByteArrayOutputStream image = new ByteArrayOutputStream();

    private Film(InputStream in) {
        this.in = in;
    }

    /** The next whole image. A marker that ends one may stand in a preview inside it: segments are gone through. */
    public static Picture picture(InputStream in) throws IOException {
        return new Film(new BufferedInputStream(in)).next();
    }

    private Picture next() throws IOException {
        int before = take();
        for (int next = take(); before != MARK || next != BEGIN; next = take()) {
            before = next;
        }
        image.reset();
        image.write(MARK);
        image.write(BEGIN);
        int marker = marker();
        while (marker != END) {
            segment();
            marker = marker == SCAN ? afterScan() : marker();
        }
        return Picture.of(image.toByteArray());
    }

    private int marker() throws IOException {
        if (take() != MARK) {
            throw new IOException("the camera sent a broken picture");
        }
        int code = take();
        while (code == MARK) {
            code = take();
        }
        return code;
    }

    private void segment() throws IOException {
        int length = take() << 8 | take();
        for (int i = 2; i < length; i++) {
            take();
        }
    }

    /** The marker after the image's data, in which a mark is followed by 0 or restarts the scan. */
    private int afterScan() throws IOException {
        while (true) {
            int code = take();
            while (code == MARK) {
                code = take();
                if (code != MARK && code != 0 && (code < FIRST_RESTART || code > LAST_RESTART)) {
                    return code;
                }
            }
        }
    }

    private int take() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new IOException("the camera's film broke off");
        }
        image.write(next);
        if (image.size() > Picture.LARGEST) {
            throw new IOException("the camera's picture is too large");
        }
        return next;
    }
}
