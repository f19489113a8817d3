package farm.gantry.ingest.sample;

import farm.gantry.ingest.reading.BadFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Builds 3MF archives as slicers write them, entry by entry. */
public final class ThreemfFiles {
    public static final byte[] PNG = Base64.getDecoder().decode(GcodeFiles.PNG);

    private static final int LOCAL_HEADER = 0x04034b50;
    private static final int CENTRAL_HEADER = 0x02014b50;

    private final Map<String, byte[]> entries = new LinkedHashMap<>();

    private ThreemfFiles() {}

    public ThreemfFiles with(String name, byte[] content) {
        entries.put(name, content);
        return this;
    }

    public ThreemfFiles with(String name, String content) {
        return with(name, content.getBytes(StandardCharsets.UTF_8));
    }

    public ThreemfFiles without(String name) {
        Objects.requireNonNull(entries.remove(name));
        return this;
    }

    public ThreemfFiles copy(String from, String to) {
        return with(to, Objects.requireNonNull(entries.get(from)));
    }

    public ThreemfFiles replace(String name, UnaryOperator<String> change) {
        String text = new String(Objects.requireNonNull(entries.get(name)), StandardCharsets.UTF_8);
        return with(name, change.apply(text));
    }

    public Path write(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "part", ".3mf");
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (var entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
                zip.closeEntry();
            }
        }
        return file;
    }

    /** Clears the date and time of every entry of the archive, in both of its directories. */
    public static Path undated(Path file) throws IOException {
        ByteBuffer zip = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + Integer.BYTES < zip.capacity(); at++) {
            switch (zip.getInt(at)) {
                case LOCAL_HEADER -> zip.putInt(at + 10, 0);
                case CENTRAL_HEADER -> zip.putInt(at + 12, 0);
                default -> {}
            }
        }
        return Files.write(file, zip.array());
    }

    /** Returns an empty model with a thumbnail. */
    public static ThreemfFiles core(String metadata) {
        return model(metadata + "<resources/><build/>").with("Metadata/plate_1.png", PNG);
    }

    /** Returns an archive of one model with this content of its root element. */
    public static ThreemfFiles model(String content) {
        return new ThreemfFiles().with("_rels/.rels", """
                        <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
                         <Relationship Target="/3D/3dmodel.model" Id="rel-1" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
                         <Relationship Target="/Metadata/plate_1.png" Id="rel-2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/thumbnail"/>
                        </Relationships>
                        """).with("3D/3dmodel.model", """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06">
                         %s
                        </model>
                        """.formatted(content));
    }

    private static String application(String value) {
        return "<metadata name=\"Application\">" + value + "</metadata>";
    }

    public static String clientVersion(String version) {
        return "<header><header_item key=\"X-BBL-Client-Version\" value=\"" + version + "\"/></header>";
    }

    /** Returns a Bambu Studio project of two plates, the second first, with two texts on one object. */
    public static ThreemfFiles project(String application, String client) {
        return core(application(application))
                .with("Metadata/project_settings.config", """
                        {"filament_colour": ["#00ae42", "#FF0000"], "filament_type": ["PLA", "PETG"],
                         "filament_ids": ["GFA00", "GFG99"], "filament_density": ["1.26", "1.27"],
                         "filament_diameter": ["1.75", "1.75"], "nozzle_diameter": ["0.4", "0.4"],
                         "printer_model": "Bambu Lab X1 Carbon", "printer_settings_id": "Bambu Lab X1 Carbon 0.4 nozzle",
                         "print_compatible_printers": ["Bambu Lab X1 Carbon 0.4 nozzle"],
                         "upward_compatible_machine": ["Bambu Lab P1S 0.4 nozzle"],
                         "curr_bed_type": "Cool Plate", "cool_plate_temp_initial_layer": ["35", "60"],
                         "layer_height": "0.2", "nested": {"filament_type": [["X"]]}, "nothing": null}
                        """)
                .with("Metadata/slice_info.config", "<config>" + clientVersion(client) + "</config>")
                .with("Metadata/model_settings.config", """
                        <config>
                          <object id="2">
                            <metadata key="name" value="Tag"/>
                            <metadata key="extruder" value="1"/>
                            <part id="11" subtype="normal_part">
                              <metadata key="name" value="Text: NAME"/>
                              <text_info text="NAME" font_name="Arial" font_version="2.0" surface_type="1"/>
                            </part>
                            <part id="12" subtype="normal_part">
                              <metadata key="name" value="shadow"/>
                              <metadata key="extruder" value="2"/>
                              <text_info text="NAME" font_name="Arial" font_version="2.0" surface_type="1"/>
                            </part>
                          </object>
                          <object id="4">
                            <metadata key="extruder" value="2"/>
                            <part id="13" subtype="normal_part">
                              <slic3rpe:text text="A &amp; B" face_name="Serif"/>
                            </part>
                          </object>
                          <plate>
                            <metadata key="plater_id" value="2"/>
                            <metadata key="plater_name" value="Lids &amp;amp; bases"/>
                            <metadata key="locked" value="true"/>
                            <metadata key="filament_maps" value="1 2"/>
                            <model_instance>
                              <metadata key="object_id" value="4"/>
                              <metadata key="instance_id" value="0"/>
                              <metadata key="identify_id" value="115"/>
                            </model_instance>
                          </plate>
                          <plate>
                            <metadata key="plater_id" value="1"/>
                            <metadata key="plater_name" value=""/>
                            <metadata key="thumbnail_file" value="Metadata/plate_1.png"/>
                            <metadata key="top_file" value="../../../etc/passwd"/>
                            <model_instance>
                              <metadata key="object_id" value="2"/>
                              <metadata key="instance_id" value="0"/>
                              <metadata key="identify_id" value="75"/>
                            </model_instance>
                          </plate>
                        </config>
                        """)
                .with("Metadata/plate_1.png", PNG);
    }

    /** Returns a project of two plates on a bed of 200 × 200 mm, whose object is in a model file of its own. */
    public static ThreemfFiles production() {
        try {
            return model(
                            "<resources><object id=\"3\" type=\"model\"><components>"
                                    + "<component p:path=\"/3D/Objects/object_1.model\" objectid=\"1\"/>"
                                    + "<component p:path=\"/3D/Objects/object_1.model\" objectid=\"2\"/>"
                                    + "</components></object></resources><build>"
                                    + "<item objectid=\"3\" transform=\"1 0 0 0 1 0 0 0 1 260 30 0\" printable=\"1\"/>"
                                    + "<item objectid=\"3\" transform=\"1 0 0 0 1 0 0 0 1 100 100 0\" printable=\"1\"/></build>")
                    .with(
                            "3D/Objects/object_1.model",
                            "<model xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"><resources>"
                                    + Solids.object("1", Solids.box(0, 0, 0, 10, 20, 30))
                                    + Solids.object("2", Solids.box(2, 2, 2, 4, 4, 50))
                                    + "</resources><build/></model>")
                    .with("Metadata/project_settings.config", """
                            {"printable_area": ["0x0", "200x0", "200x200", "0x200"],
                             "filament_colour": ["#FF0000", "#0000FF"], "filament_type": ["PLA", "PETG"]}
                            """)
                    .with("Metadata/model_settings.config", """
                            <config>
                              <object id="3">
                                <metadata key="name" value="Tower"/>
                                <metadata key="extruder" value="1"/>
                                <part id="1" subtype="normal_part"><metadata key="extruder" value="2"/></part>
                                <part id="2" subtype="modifier_part"><metadata key="extruder" value="0"/></part>
                              </object>
                              <plate>
                                <metadata key="plater_id" value="1"/>
                                <model_instance>
                                  <metadata key="object_id" value="3"/>
                                  <metadata key="instance_id" value="1"/>
                                </model_instance>
                              </plate>
                              <plate>
                                <metadata key="plater_id" value="2"/>
                                <model_instance>
                                  <metadata key="object_id" value="3"/>
                                  <metadata key="instance_id" value="0"/>
                                </model_instance>
                              </plate>
                            </config>
                            """);
        } catch (BadFileException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Returns the project sliced: plate 2 comes first, plate 3 is no longer sliced. */
    public static ThreemfFiles sliced() {
        ThreemfFiles sliced = project("BambuStudio-02.04.00.70", "02.04.00.70");
        return sliced.with("Metadata/slice_info.config", "<config>" + clientVersion("02.04.00.70") + """
                        <plate>
                          <metadata key="index" value="2"/>
                          <metadata key="prediction" value="1094"/>
                          <metadata key="weight" value="3.91"/>
                          <metadata key="unheard_of" value="x"/>
                          <object identify_id="115" name="Lid" skipped="false"/>
                          <filament id="2" tray_info_idx="GFG99" type="PETG" color="#FF0000" used_m="1.29" used_g="3.91"/>
                          <warning msg="hot" level="3" error_code ="1000C001"/>
                        </plate>
                        <plate>
                          <metadata key="index" value="1"/>
                          <metadata key="prediction" value="1216"/>
                          <metadata key="weight" value="6.75"/>
                          <metadata key="outside" value="false"/>
                          <object identify_id="75" name="Tag" skipped="false"/>
                          <filament id="1" tray_info_idx="GFA00" type="PLA" color="#00AE42" used_m="2.23" used_g="6.75"/>
                          <layer_filament_lists>
                            <layer_filament_list filament_list="0" layer_ranges="0 127"/>
                          </layer_filament_lists>
                        </plate></config>
                        """)
                .with("Metadata/model_settings.config", """
                        <config>
                          <plate>
                            <metadata key="plater_id" value="1"/>
                            <metadata key="gcode_file" value="Metadata/plate_1.gcode"/>
                            <metadata key="thumbnail_file" value="Metadata/plate_1.png"/>
                            <metadata key="top_file" value="Metadata/top_1.png"/>
                            <metadata key="pick_file" value="Metadata/pick_1.png"/>
                          </plate>
                          <plate>
                            <metadata key="plater_id" value="2"/>
                            <metadata key="plater_name" value="&lt;&quot;two&quot;&gt;"/>
                            <metadata key="gcode_file" value="Metadata/plate_2.gcode"/>
                            <metadata key="thumbnail_file" value="Metadata/plate_2.png"/>
                          </plate>
                        </config>
                        """)
                .with("Metadata/_rels/model_settings.config.rels", """
                        <Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
                         <Relationship Target="/Metadata/plate_1.gcode" Id="rel-1" Type="http://schemas.bambulab.com/package/2021/gcode"/>
                         <Relationship Target="/Metadata/plate_2.gcode" Id="rel-2" Type="http://schemas.bambulab.com/package/2021/gcode"/>
                        </Relationships>
                        """)
                .with("Metadata/top_1.png", PNG)
                .with("Metadata/pick_1.png", PNG)
                .with("Metadata/plate_2.png", PNG)
                .with("Metadata/plate_1.gcode", gcode("20m 16s", 128))
                .with("Metadata/plate_1.gcode.md5", "0".repeat(32))
                .with("Metadata/plate_2.gcode", gcode("18m 14s", 64))
                .with("Metadata/plate_2.gcode.md5", "F".repeat(32));
    }

    /** Returns the project with one plate only. */
    public static ThreemfFiles slicedOnce() {
        ThreemfFiles once = sliced();
        once.entries.keySet().removeIf(name -> name.startsWith("Metadata/plate_2"));
        return once;
    }

    private static String gcode(String time, int layers) {
        return """
                ; HEADER_BLOCK_START
                ; BambuStudio 02.04.00.99
                ; model printing time: 12m 4s; total estimated time: %s
                ; total layer number: %d
                ; HEADER_BLOCK_END
                ; EXECUTABLE_BLOCK_START
                G1 X1 Y1 E1
                %s; EXECUTABLE_BLOCK_END
                """.formatted(time, layers, "; CHANGE_LAYER\nG1 X9 Y5 E2\n".repeat(layers));
    }
}
