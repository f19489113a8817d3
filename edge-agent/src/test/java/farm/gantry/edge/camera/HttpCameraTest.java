package farm.gantry.edge.camera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.refusal.Refusal;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpCameraTest {
    private static final HttpClient HTTP = PrinterHttp.client();
    private static final URI WEB = URI.create("http://192.168.1.7/");

    @ParameterizedTest
    @CsvSource({
        "/webcam/?action=snapshot, http://192.168.1.7/webcam/?action=snapshot",
        "webcam2/snapshot.jpg, http://192.168.1.7/webcam2/snapshot.jpg",
        "http://127.0.0.1:8080/?action=snapshot, http://192.168.1.7:8080/?action=snapshot",
        "http://localhost:8080/a%20b.jpg?c=%26d, http://192.168.1.7:8080/a%20b.jpg?c=%26d",
        "http://192.168.1.7:3031/video, http://192.168.1.7:3031/video",
    })
    void localCameraAddressIsReplacedByThePrintersAddress(String reported, String address) throws Exception {
        assertThat(HttpCamera.of(HTTP, WEB, reported).address()).isEqualTo(URI.create(address));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rtsp://192.168.1.7/live", "file:///etc/passwd", "http://a b/", "http:///x"})
    void invalidCameraAddressIsRefused(String reported) {
        assertThatThrownBy(() -> HttpCamera.of(HTTP, WEB, reported)).isInstanceOf(Refusal.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://192.168.1.9:3031/video", "//169.254.169.254/latest", "http://192.168.1.7@10.0.0.1/"})
    void cameraOnAnotherHostIsUsedOnlyIfTheOperatorAllowsIt(String reported) throws Exception {
        assertThatThrownBy(() -> HttpCamera.of(HTTP, WEB, reported))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("--camera-hosts");
        String host = WEB.resolve(reported).getHost();
        assertThat(HttpCamera.of(HTTP, WEB, reported, Set.of(host)).address()).isEqualTo(WEB.resolve(reported));
    }

    @Test
    void localCameraAddressIsReplacedByTheConfiguredHostName() throws Exception {
        URI web = URI.create("http://localhost/");
        assertThat(HttpCamera.of(HTTP, web, "http://127.0.0.1:8080/a").address())
                .isEqualTo(URI.create("http://localhost:8080/a"));
    }

    @Test
    void htmlIsNotAcceptedAsAnImage() {
        assertThatThrownBy(() -> CameraImage.of(new byte[] {'<', 'h', 't', 'm', 'l', '>'}))
                .hasMessageContaining("no image");
    }
}
