package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.camera.HttpCamera;
import farm.gantry.edge.refusal.Refusal;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;

/** A camera's H.264 video, which starts some moments after the camera was switched on. */
record FlvCamera(HttpCamera camera, Ffmpeg ffmpeg) {
    private static final int LOOKS = 10;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

    CameraPicture picture() throws IOException, Refusal, InterruptedException {
        for (int looked = 1; ; looked++) {
            try {
                return camera.picture(ffmpeg, "flv");
            } catch (ConnectException | Refusal e) {
                if (looked == LOOKS) {
                    throw e;
                }
                Thread.sleep(BETWEEN_LOOKS);
            }
        }
    }
}
