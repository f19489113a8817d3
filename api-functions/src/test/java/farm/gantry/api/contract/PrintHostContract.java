package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests that print hosts store the files that slicers send, wherever the API runs. */
public interface PrintHostContract {
    String BOUNDARY = "------------------------0d3a6b1c9f2e4875";

    Host host();

    private static byte[] form(String fileName) {
        return Client.utf8(
                "--%1$s\r\nContent-Disposition: form-data; name=\"print\"\r\n\r\nfalse\r\n--%1$s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%2$s\"\r\nContent-Type: application/octet-stream\r\n\r\n; %3$s\nG28\n\r\n--%1$s--\r\n"
                        .formatted(BOUNDARY, fileName, Id.next()));
    }

    private static Answer sendForm(Client slicer, String path, byte[] form) {
        return slicer.with("content-type", "multipart/form-data; boundary=" + BOUNDARY)
                .send("POST", "/print-hosts/any/" + path, form);
    }

    @Test
    default void fileOfEachProtocolIsStored() {
        SharedApi.Store store = SharedApi.newStore();
        Client slicer = Client.of(host()).with("x-api-key", store.key());
        assertThat(String.valueOf(slicer.get("/print-hosts/any/api/version").at("text")))
                .startsWith("OctoPrint");
        assertThat(sendForm(slicer, "api/files/local", form("one.gcode")).status())
                .isEqualTo(201);
        assertThat(sendForm(slicer, "server/files/upload", form("two.gcode")).status())
                .isEqualTo(201);
        Answer put = slicer.with("content-type", "text/x.gcode")
                .send(
                        "PUT",
                        "/print-hosts/any/api/v1/files/local/three.gcode",
                        Client.utf8("; " + Id.next() + "\nG28\n"));
        assertThat(put.status()).as(put.text()).isEqualTo(201);
        assertThat(Client.of(host(), store.key())
                        .get("/v1/parts?sort=createdAt,id")
                        .each("name"))
                .containsExactly("one.gcode", "two.gcode", "three.gcode");
    }

    @Test
    default void formThatEndsEarlyLeavesNoPart() {
        SharedApi.Store store = SharedApi.newStore();
        Client slicer = Client.of(host()).with("x-api-key", store.key());
        byte[] form = form("vase.gcode");
        Answer broken = sendForm(slicer, "api/files/local", Arrays.copyOf(form, form.length - 60));
        assertThat(broken.status()).as(broken.text()).isEqualTo(400);
        assertThat(sendForm(slicer, "api/files/local", new byte[0]).status()).isEqualTo(400);
        assertThat(Client.of(host(), store.key()).get("/v1/parts").each("id")).isEmpty();
    }
}
