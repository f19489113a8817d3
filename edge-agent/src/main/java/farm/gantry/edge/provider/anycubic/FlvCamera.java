package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;

/** A camera that sends H.264 video, which starts some moments after the camera was switched on. */
record FlvCamera(HttpCamera camera, Ffmpeg ffmpeg) {
    private static final int MAX_ATTEMPTS = 10;
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

    CameraImage readImage() throws IOException, Refusal, InterruptedException {
        for (int looked = 1; ; looked++) {
            try {
                return camera.readImage(ffmpeg, "flv");
            } catch (ConnectException | Refusal e) {
                if (looked == MAX_ATTEMPTS) {
                    throw e;
                }
                Thread.sleep(RETRY_INTERVAL);
            }
        }
    }
}
