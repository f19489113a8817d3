package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Uploads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/** Tests reading a staged 3MF without creating a part. */
public interface ExtractionContract {
    /** A PNG of one pixel, in base64. */
    String PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

    Host host();

    private static byte[] sliced() throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("3D/3dmodel.model", Client.utf8("<model><resources/><build/></model>"));
        entries.put(
                "Metadata/project_settings.config",
                Client.utf8(
                        "{\"filament_colour\": [\"#00ae42\"], \"filament_type\": [\"PLA\"], \"layer_height\": \"0.2\"}"));
        entries.put("Metadata/model_settings.config", Client.utf8("""
                <config><plate>
                  <metadata key="plater_id" value="1"/>
                  <metadata key="plater_name" value="Lid"/>
                  <metadata key="gcode_file" value="Metadata/plate_1.gcode"/>
                  <metadata key="thumbnail_file" value="Metadata/plate_1.png"/>
                </plate></config>
                """));
        entries.put("Metadata/plate_1.png", Base64.getDecoder().decode(PNG));
        entries.put("Metadata/plate_1.gcode", Client.utf8("""
                ; HEADER_BLOCK_START
                ; BambuStudio 02.04.00.99
                ; model printing time: 12m 4s; total estimated time: 20m 16s
                ; total layer number: 128
                ; total filament weight [g] : 6.75
                ; printer_model = Bambu Lab P1S
                ; HEADER_BLOCK_END
                G1 X1 Y1 E1
                """));
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
        return bytes.toByteArray();
    }

    private static Answer extract(Client client, String path) {
        return client.post("/v1/parts/extract-3mf-metadata", "{\"path\":\"" + path + "\"}");
    }

    @Test
    default void staged3mfIsReadWithoutCreatingAPart() throws IOException {
        Client owner = Client.of(host(), SharedApi.newStore().key());
        Answer answer = extract(owner, new Uploads(owner).put("lid.3mf", sliced()));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        assertThat(answer.at("metadata.plates[0].name")).isEqualTo("Lid");
        assertThat(answer.at("metadata.plates[0].thumbnailData")).isEqualTo("data:image/png;base64," + PNG);
        assertThat(answer.at("metadata.slicerVersion.engine")).isEqualTo("slicer2");
        assertThat(answer.at("materials[0].color")).isEqualTo("#00AE42");
        assertThat(answer.at("gcode.printerModel")).isEqualTo("Bambu Lab P1S");
        assertThat(answer.at("gcode.estimatedPrintTimeSeconds")).isEqualTo(1216);
        assertThat(answer.at("gcode.filamentUsedGrams[0]")).isEqualTo(6.75);
        assertThat(answer.at("gcode.layerHeight")).isEqualTo(0.2);
        assertThat(answer.at("gcode.layerCount")).isEqualTo(128);
        assertThat(answer.at("gcode.thumbnails[0]")).isEqualTo("data:image/png;base64," + PNG);
        assertThat(owner.get("/v1/parts").text()).isEqualTo("[]");
    }

    @Test
    default void unknownUploadIsRejectedAtItsPath() throws IOException {
        Client owner = Client.of(host(), SharedApi.newStore().key());
        Client stranger = Client.of(host(), SharedApi.newStore().key());
        String foreign = new Uploads(stranger).put("lid.3mf", sliced());
        for (String path : new String[] {foreign, "nonsense", foreign.replace("uploads:", "files:")}) {
            Answer refused = extract(owner, path);
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.at("details[0].path")).isEqualTo("path");
            assertThat(refused.at("details[0].code")).isEqualTo("not_found");
        }
        Answer text = extract(owner, new Uploads(owner).put("lid.3mf", "Dear farm"));
        assertThat(text.status()).isEqualTo(400);
        assertThat(text.at("details[0].message")).asString().contains("plain text");
    }
}
