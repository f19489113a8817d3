package farm.gantry.edge.camera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.edge.Bench;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Trust;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RtspTest {
    private final String serial = Id.next();
    private final Bench bench = Bench.vendorA(Bench.QUICK, serial);

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void aFilmBeginsWithWhatADecoderMustKnowAndAWholePicture() throws Exception {
        try (Socket line = line()) {
            Rtsp film = Rtsp.begin(line, address(), new Rtsp.Login("bblp", Bench.KEY));
            List<Integer> kinds = new ArrayList<>();
            byte[] first = film.next();
            for (int at = 0; at + 4 < first.length; at++) {
                if (first[at] == 0 && first[at + 1] == 0 && first[at + 2] == 0 && first[at + 3] == 1) {
                    kinds.add(first[at + 4] & 0x1F);
                }
            }
            assertThat(kinds).containsExactly(7, 8, 5);
            assertThat(film.next()).startsWith(new byte[] {0, 0, 0, 1});
            film.end();
        }
    }

    @Test
    void whoeverDoesNotKnowTheCodeSeesNothing() throws Exception {
        try (Socket line = line()) {
            assertThatThrownBy(() -> Rtsp.begin(line, address(), new Rtsp.Login("bblp", "wrong")))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("access code");
        }
    }

    @Test
    void aFilmOfAnotherMannerIsRefused() {
        assertThatThrownBy(() -> Sdp.of("v=0\r\nm=video 0 RTP/AVP 26\r\na=control:track1\r\n"))
                .isInstanceOf(Refusal.class);
    }

    @Test
    void theFilmIsAskedForWhereTheCameraSays() throws Exception {
        String video = String.join(
                "\r\n",
                "v=0",
                "a=control:*",
                "m=audio 0 RTP/AVP 97",
                "a=control:track2",
                "m=video 0 RTP/AVP 96",
                "a=rtpmap:96 H264/90000",
                "");
        assertThat(Sdp.of(video + "a=control:track1\r\n").address("rtsps://p/live/"))
                .isEqualTo("rtsps://p/live/track1");
        assertThat(Sdp.of(video + "a=control:rtsps://p/x\r\n").address("rtsps://p/live"))
                .isEqualTo("rtsps://p/x");
        assertThat(Sdp.of(video).address("rtsps://p/live")).isEqualTo("rtsps://p/live");
    }

    private Socket line() throws IOException {
        return new Trust(null, serial).context().getSocketFactory().createSocket("127.0.0.1", bench.port() + 3);
    }

    private String address() {
        return "rtsps://127.0.0.1:" + (bench.port() + 3) + "/streaming/live/1";
    }
}
