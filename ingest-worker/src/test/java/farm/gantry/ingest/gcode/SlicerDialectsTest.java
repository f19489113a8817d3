package farm.gantry.ingest.gcode;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.GcodeMetadata.Filaments;
import farm.gantry.ingest.reading.GcodeMetadata.FirstLayer;
import farm.gantry.ingest.reading.GcodeMetadata.Layers;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.sample.GcodeFiles;
import farm.gantry.part.Part.PartMaterial;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlicerDialectsTest {
    @TempDir
    Path folder;

    private GcodeMetadata read(String text) throws IOException {
        return Objects.requireNonNull(
                new GcodeReader().read(GcodeFiles.write(folder, text)).firstGcode());
    }

    @Test
    void prusaSlicerMetadataIsReadFromTheFooter() throws IOException {
        GcodeMetadata facts = read(GcodeFiles.PRUSA);
        assertThat(facts.slicer()).hasToString("slicer3 2.8.1");
        assertThat(facts.slicedAt()).isEqualTo(Instant.parse("2026-03-04T10:20:30Z"));
        assertThat(facts.estimatedSeconds()).isEqualTo(93_784);
        assertThat(facts.filaments().usedMillimetres()).containsExactly(986.61, 0.0);
        assertThat(facts.filaments().densities()).containsExactly(1.27, 1.24);
        assertThat(facts.filaments().materials())
                .containsExactly(
                        new PartMaterial(0, "#FF8000", null, null, null, "PETG"),
                        new PartMaterial(1, "#00AE42", null, null, null, "PLA"));
        assertThat(facts.layers()).isEqualTo(new Layers(120, 0.15, 0.2, 18.05));
        assertThat(facts.firstLayer()).isEqualTo(new FirstLayer(85.0, 230.0));
        assertThat(facts.machine().model()).isEqualTo("MINI");
        assertThat(facts.machine().nozzleDiameter()).isEqualTo("0.4");
        assertThat(facts.machine().settingsId()).isEqualTo("Original Prusa MINI");
    }

    @Test
    void windowsLineEndsAreStrippedFromValues() throws IOException {
        assertThat(read(GcodeFiles.PRUSA.replace("\n", "\r\n"))).isEqualTo(read(GcodeFiles.PRUSA));
    }

    @Test
    void superSlicerIsRecognizedAsItsOwnEngine() throws IOException {
        GcodeMetadata facts = read(GcodeFiles.PRUSA.replace("PrusaSlicer 2.8.1", "SuperSlicer 2.5.59"));
        assertThat(facts.slicer()).hasToString("slicer4 2.5.59");
    }

    @Test
    void flashForgeOrcaMetadataIsReadFromTheHeader() throws IOException {
        GcodeMetadata facts = read(GcodeFiles.ORCA_FLASHFORGE);
        assertThat(facts.slicer()).hasToString("slicer1 1.4.2");
        assertThat(facts.estimatedSeconds()).isEqualTo(2427);
        assertThat(facts.layers()).isEqualTo(new Layers(240, 0.2, 0.25, 48.05));
        assertThat(facts.firstLayer()).isEqualTo(new FirstLayer(65.0, 220.0));
        assertThat(facts.filaments().ids()).containsExactly("GFL99", "GFL98");
        assertThat(facts.machine().compatible()).containsExactly("Flashforge AD5X 0.4 nozzle", "Other; with sign");
    }

    @Test
    void bambuStudioCountsOnlyUsedFilamentsAndTheFirstSetsTheNozzleTemperature() throws IOException {
        GcodeMetadata facts = read(GcodeFiles.BAMBU);
        assertThat(facts.slicer()).hasToString("slicer2 02.05.00.66");
        assertThat(facts.estimatedSeconds()).isEqualTo(7745);
        assertThat(facts.filaments().usedGrams()).containsExactly(0.0, 23.43, 0.0, 8.70);
        assertThat(facts.firstLayer().nozzleTemperature()).isEqualTo(260.0);
        assertThat(facts.layers().count()).isEqualTo(100);
    }

    @Test
    void curaLengthsAreInMetresAndTemperaturesComeFromCommands() throws IOException {
        GcodeMetadata facts = read(GcodeFiles.CURA);
        assertThat(facts.slicer()).hasToString("Cura 4.10.0");
        assertThat(facts.slicer().toSlicerVersion()).isNull();
        assertThat(facts.estimatedSeconds()).isEqualTo(451);
        assertThat(facts.filaments().usedMillimetres()).containsExactly(273.87, 100.0);
        assertThat(facts.layers()).isEqualTo(new Layers(1, 0.2, null, 5.2));
        assertThat(facts.firstLayer()).isEqualTo(new FirstLayer(60.0, 205.0));
        assertThat(facts.machine().model()).isEqualTo("Creality Ender-3");
    }

    @Test
    void unfilledCuraPlaceholdersAreUnknown() throws IOException {
        GcodeMetadata facts = read(GcodeFiles.CURA_UNFILLED);
        assertThat(facts.estimatedSeconds()).isNull();
        assertThat(facts.filaments().usedMillimetres()).isEmpty();
        assertThat(facts.layers()).isEqualTo(new Layers(null, 0.1, null, null));
        assertThat(facts.machine().model()).isEmpty();
    }

    @Test
    void griffinHeaderIsReadAsCura() throws IOException {
        GcodeMetadata facts = read("""
                ;START_OF_HEADER
                ;FLAVOR:Griffin
                ;GENERATOR.NAME:Cura_SteamEngine
                ;GENERATOR.VERSION:5.4.0
                ;TARGET_MACHINE.NAME:Ultimaker S5
                ;EXTRUDER_TRAIN.0.NOZZLE.DIAMETER:0.4
                ;EXTRUDER_TRAIN.0.INITIAL_TEMPERATURE:205
                ;BUILD_PLATE.INITIAL_TEMPERATURE:60
                ;PRINT.TIME:5113
                ;PRINT.SIZE.MAX.Z:20.1
                ;END_OF_HEADER
                G1 X1 Y1 E1
                """);
        assertThat(facts.slicer()).hasToString("Cura 5.4.0");
        assertThat(facts.estimatedSeconds()).isEqualTo(5113);
        assertThat(facts.firstLayer()).isEqualTo(new FirstLayer(60.0, 205.0));
        assertThat(facts.machine().nozzleDiameter()).isEqualTo("0.4");
        assertThat(facts.layers().objectHeight()).isEqualTo(20.1);
    }

    @Test
    void ideaMakerWeightIsComputedFromLengthDiameterAndDensity() throws IOException {
        GcodeMetadata facts = read("""
                ;Sliced by ideaMaker 4.2.0.5250, 2021-09-03 09:54:14 UTC-0700
                ;Dimension: 205.000 205.000 205.000 0.400
                ;Filament Diameter #1: 1.750
                ;Filament Density #1: 1240.00
                ;Bounding Box: 76.501 123.499 94.994 110.006 0.000 9.320
                M140 S60.00
                M104 T0 S215.00
                G1 X1 Y1 E1
                ;LAYER:48
                ;HEIGHT:0.150
                ;Print Time: 744
                ;Material#1 Used: 422.7
                """);
        assertThat(facts.estimatedSeconds()).isEqualTo(744);
        assertThat(facts.filaments().grams(0)).isBetween(1.260, 1.262);
        assertThat(facts.layers()).isEqualTo(new Layers(49, 0.15, null, 9.32));
        assertThat(facts.firstLayer()).isEqualTo(new FirstLayer(60.0, 215.0));
        assertThat(facts.machine().nozzleDiameter()).isEqualTo("0.4");
    }

    /** KISSlicer 1.6 numbers its extruders without a sign; Cura writes no length where its front end did not fill it in. */
    @Test
    void weightIsUnknownWithoutLengthOrDensity() throws IOException {
        Filaments kiss = read("""
                ; KISSlicer - FREE
                ; version 1.6.3
                ; fiber_dia_mm = 1.75
                G1 X1 E1
                ;    Ext 1 =   298.83 mm  (0.719 cm^3)
                ; Estimated Build Time:   7.93 minutes
                """).filaments();
        assertThat(kiss.usedMillimetres()).containsExactly(298.83);
        assertThat(kiss.grams(0)).isNull();
        assertThat(kiss.isWeighed()).isFalse();
        Filaments cura = read(";Generated with Cura_SteamEngine 5.0.0\n;TIME:1234\nG1 X1 E1\n")
                .filaments();
        assertThat(cura.isWeighed()).isFalse();
        assertThat(Filaments.used(List.of(1.25), List.of(1.75), List.of(1000.0), List.of())
                        .grams(0))
                .isBetween(3.0, 3.01);
        assertThat(Filaments.used(List.of(0.0), List.of(1.75), List.of(1000.0), List.of(0.0))
                        .isWeighed())
                .isFalse();
    }

    @Test
    void kissSlicerBuildTimeIsReadInMinutes() throws IOException {
        GcodeMetadata facts = read("""
                ; KISSlicer - FREE
                ; version 2 a 2.0.6 Win64
                ; first_layer_C = 195
                ; bed_C = 43
                ; max_layer_thickness_mm = -67
                ; max_layer_thickness_mm = 0.268
                G1 X1 Y1 E1
                ; Estimated Build Time:   7.94 minutes
                ; Ext #1 =   305.09 mm  (0.734 cm^3)
                """);
        assertThat(facts.slicer()).hasToString("KISSlicer 2-a-2.0.6-Win64");
        assertThat(facts.estimatedSeconds()).isEqualTo(476);
        assertThat(facts.filaments().usedMillimetres()).containsExactly(305.09);
        assertThat(facts.layers().height()).isEqualTo(0.268);
        assertThat(facts.firstLayer()).isEqualTo(new FirstLayer(43.0, 195.0));
    }

    @Test
    void simplify3dBuildTimeIsReadInHoursAndMinutes() throws IOException {
        GcodeMetadata facts = read("""
                ; G-Code generated by Simplify3D(R) Version 4.1.2
                ;   extruderDiameter,0.4
                ;   filamentDiameters,1.75|1.75
                ;   layerHeight,0.2
                ;   printMaterial,PLA
                G1 X1 Y1 E1
                ; Build Summary
                ;   Build time: 1 hour 2 minutes
                ;   Filament length: 4000.1 mm (4.00 m)
                ;   Plastic weight: 12.05 g (0.03 lb)
                """);
        assertThat(facts.estimatedSeconds()).isEqualTo(3720);
        assertThat(facts.filaments().usedMillimetres()).containsExactly(4000.1);
        assertThat(facts.filaments().usedGrams()).containsExactly(12.05);
        assertThat(facts.layers().height()).isEqualTo(0.2);
    }

    @ParameterizedTest
    @CsvSource({
        "'; Generated by Kiri:Moto 3.9.0|; sliceHeight = 0.25|G1 X1|; filament used: 225.03 mm|; --- print time: 806s ---',"
                + " Kiri:Moto 3.9.0, 806, 225.03",
        "'; generated by Slic3r 1.2.9 on 2026-01-01|G1 X1|; filament used = 5669.6mm (40.1cm3)', Slic3r 1.2.9, , 5669.6",
        "'; generated by AnycubicSlicerNext 1.2.1 on 2026-01-01|G1 X1|; filament used [mm] = 12.5|"
                + "; estimated printing time (normal mode) = 5m', AnycubicSlicerNext 1.2.1, 300, 12.5",
        "'; generated by Flash Studio 1.7.6 on 2026-01-01|G1 X1|; filament used [mm] = 9', Flash Studio 1.7.6, , 9",
        "'; generated by Snapmaker Orca 2.3.4 on 2026-01-01|G1 X1|; filament used [mm] = 9', slicer1 2.3.4, , 9",
        "';generated by ffslicer 5.1.1 20201228 17:50|;machine_type: Adventurer 3|G1 X1', FlashPrint 5.1.1, , "
    })
    void lessCommonSlicersAreRecognizedByTheirComments(String lines, String slicer, Long seconds, Double millimetres)
            throws IOException {
        GcodeMetadata facts = read(lines.replace("|", "\n"));
        assertThat(facts.slicer()).hasToString(slicer);
        assertThat(facts.estimatedSeconds()).isEqualTo(seconds);
        assertThat(facts.filaments().usedMillimetres().stream().findFirst().orElse(null))
                .isEqualTo(millimetres);
    }

    /** Returns a FlashPrint file: a binary header, one or two thumbnails, and then directly the G-code. */
    private Path gx(byte[] small, byte[] large, String text) throws IOException {
        int largeAt = 58 + small.length;
        int textAt = largeAt + large.length;
        byte[] lines = text.getBytes(StandardCharsets.US_ASCII);
        var file = ByteBuffer.allocate(textAt + lines.length).order(ByteOrder.LITTLE_ENDIAN);
        file.put("xgcode 1.0\n".getBytes(StandardCharsets.US_ASCII)).position(16);
        file.putInt(58).putInt(largeAt).putInt(textAt).putInt(1234).putInt(567).putInt(0);
        file.position(58).put(small).put(large).put(lines);
        return Files.write(folder.resolve("part.gx"), file.array());
    }

    private static byte[] picture(String format, int width) throws IOException {
        var image = new ByteArrayOutputStream();
        ImageIO.write(new BufferedImage(width, 60, BufferedImage.TYPE_INT_RGB), format, image);
        return image.toByteArray();
    }

    private int widthOfThePictureIn(Path part) throws IOException {
        Picture picture = new GcodeReader().pictures(part, folder).getFirst();
        return ImageIO.read(picture.file().toFile()).getWidth();
    }

    @Test
    void flashPrintGxFileIsReadAfterItsHeader() throws IOException {
        Path part = gx(picture("bmp", 80), new byte[0], """
                ;generated by ffslicer 5.1.1 20201228
                ;machine_type: Adventurer 3
                ;right_extruder_material: PLA
                ;filament_diameter0: 1.75
                G1 X1
                """);
        GcodeMetadata facts =
                Objects.requireNonNull(new GcodeReader().read(part).firstGcode());
        assertThat(facts.slicer()).hasToString("FlashPrint 5.1.1");
        assertThat(facts.estimatedSeconds()).isEqualTo(1234);
        assertThat(facts.filaments().types()).containsExactly("PLA");
        assertThat(facts.filaments().usedMillimetres()).containsExactly(567.0);
        assertThat(facts.machine().model()).isEqualTo("Adventurer 3");
        assertThat(widthOfThePictureIn(part)).isEqualTo(80);
    }

    @Test
    void flashPrintGxFileIsReadAfterASecondThumbnail() throws IOException {
        Path part = gx(picture("bmp", 80), picture("png", 320), """
                ;generated by ffslicer 2.4.4 05/13/25 23:40:12
                ;machine_type: Creator 4
                ;right_extruder_material: PLA
                ;right_extruder_material_density: 1.24
                ;left_extruder_material: ABS
                ;left_extruder_material_density: 1.04
                ;filament_diameter0: 1.75
                ;filament_diameter1: 1.75
                ;layer_total_count: 54
                G1 X1
                """);
        GcodeMetadata facts =
                Objects.requireNonNull(new GcodeReader().read(part).firstGcode());
        assertThat(facts.slicer()).hasToString("FlashPrint 2.4.4");
        assertThat(facts.estimatedSeconds()).isEqualTo(1234);
        assertThat(facts.filaments().types()).containsExactly("PLA", "ABS");
        assertThat(facts.filaments().usedMillimetres()).containsExactly(567.0, 0.0);
        assertThat(facts.filaments().densities()).containsExactly(1.24, 1.04);
        assertThat(facts.filaments().diameters()).containsExactly(1.75, 1.75);
        assertThat(facts.layers().count()).isEqualTo(54);
        assertThat(widthOfThePictureIn(part)).isEqualTo(320);
    }

    @Test
    void invalidNumbersAreUnknown() throws IOException {
        GcodeMetadata facts = read("""
                ; generated by PrusaSlicer 2.7.0 on 2024-01-01 at 00:00:00 UTC
                ; thumbnail begin 16x16 999999999
                ; AAAAAAAA
                G1 X1 E1
                ; filament used [mm] = NaN, -1e999, 12.5
                ; estimated printing time (normal mode) = 99999999999d 1h
                """);
        assertThat(facts.slicer().version()).isEqualTo("2.7.0");
        assertThat(facts.estimatedSeconds()).isNull();
        assertThat(facts.filaments().usedMillimetres()).isEmpty();
    }

    @Test
    void gcodeOfAnUnknownSlicerIsReadWithoutMetadata() throws IOException {
        GcodeMetadata facts = read("G28\nG1 X1 Y1 E1\n");
        assertThat(facts.metadata().printerModel()).isEmpty();
        assertThat(facts.metadata().slicerVersion()).isNull();
        assertThat(facts.filaments().materials()).isEmpty();
    }
}
