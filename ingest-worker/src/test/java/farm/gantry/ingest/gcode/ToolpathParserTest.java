package farm.gantry.ingest.gcode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import farm.gantry.ingest.reading.ToolpathSummary;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolpathParserTest {
    private static final String SQUARE = """
            G1 X100 Y50
            G1 X110 Y50 E1
            G1 X110 Y62.5 E1
            G1 X100 Y62.5 E1
            G1 X100 Y50 E1
            """;

    private static ToolpathSummary read(String gcode, String slicer) throws IOException {
        return ToolpathParser.parse(
                new ByteArrayInputStream(gcode.getBytes(StandardCharsets.UTF_8)),
                new Slicer(slicer, "1", null),
                ExtrusionListener.NONE);
    }

    private static @Nullable BedSize size(String gcode) throws IOException {
        return read("M83\n" + gcode, "").size();
    }

    /** Start commands, the purge line, skirt, brim and raft reach farther than the object. */
    @ParameterizedTest
    @ValueSource(strings = {";TYPE:Custom", ";TYPE:Skirt/Brim", "; FEATURE: Brim", ";TYPE:RAFT", "; feature skirt"})
    void sizeExcludesSkirtBrimRaftAndPurgeLines(String featureComment) throws IOException {
        assertThat(size("""
                G28
                G1 X0 Y-3 Z0.3
                G1 X200 Y-3 E15 ; purge
                ;LAYER_CHANGE
                ;Z:0.2
                G1 Z0.2
                %s
                G1 X90 Y40 E1
                G1 X120 Y80 E1
                ;TYPE:External perimeter
                """.formatted(featureComment) + SQUARE + """
                G1 Z0.4
                ;TYPE:Solid infill
                """ + SQUARE + """
                ;TYPE:Custom
                G1 X0 Y220 Z50 E3
                """))
                .isEqualTo(new BedSize(10, 12.5, 0.4));
    }

    @Test
    void sizeIsMeasuredWithTheOriginInTheMiddleOfTheBed() throws IOException {
        assertThat(size(";LAYER_CHANGE\n;TYPE:Outer wall\nG1 Z0.2\nG1 X-60 Y-5\nG1 X60 Y5.5 E2\n"))
                .isEqualTo(new BedSize(120, 10.5, 0.2));
    }

    @Test
    void toolpathHasTheObjectPositionInPrinterCoordinates() throws IOException {
        Toolpath plain =
                read("M83\n;LAYER:0\nG1 X300 Y10\nG1 X309 Y12.5 E1\n", "").toolpath();
        assertThat(List.of(plain.minX(), plain.minY(), plain.maxX(), plain.maxY()))
                .containsExactly(300.0, 10.0, 309.0, 12.5);
        Toolpath renamed =
                read("M83\n;LAYER:0\nG1 X100 Y0\nG92 X0\nG1 X10 Y5 E1\n", "").toolpath();
        assertThat(List.of(renamed.minX(), renamed.maxX())).containsExactly(100.0, 110.0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G1 X10 Y10|G1 X40 Y20 E1",
                "N1 G1 X10 Y10*91|N2G1 X40 Y20 E1*72",
                "g1 x10 y10|g1 x40 y20 e1",
                "G20|G1 X0.393701 Y0.393701|G1 X1.574803 Y0.787402 E0.1"
            })
    void sizeIsMeasuredInNumberedLowerCaseAndInchGcode(String lines) throws IOException {
        assertThat(size(";LAYER:0\n" + lines.replace('|', '\n'))).isEqualTo(new BedSize(30, 10, 0));
    }

    @Test
    void toolpathHasTheHighestTemperatures() throws IOException {
        Toolpath set = read("M104 S210\nM140 S60\nM109 R450\nM190 S65.5\nM104 S0\nG1 X1 Y1 E1\n", "")
                .toolpath();
        assertThat(List.of(set.maxNozzleTemperature(), set.maxBedTemperature())).containsExactly(450.0, 65.5);
        Toolpath klipper = read(
                        "SET_HEATER_TEMPERATURE HEATER=extruder TARGET=240\nset_heater_temperature heater=heater_bed target=90\n",
                        "")
                .toolpath();
        assertThat(List.of(klipper.maxNozzleTemperature(), klipper.maxBedTemperature()))
                .containsExactly(240.0, 90.0);
        assertThat(read("G28\n", "").toolpath().maxNozzleTemperature()).isNull();
    }

    @Test
    void gcodeThatMovesWithoutExtrudingIsNoPrint() throws IOException {
        assertThat(read("M3 S12000\nG0 X10 Y10\nG1 Z-1\nG1 X50 Y10\n", "")
                        .toolpath()
                        .isPrint())
                .isFalse();
        assertThat(read("G28\nM104 S200\n", "").toolpath().isPrint()).isTrue();
        assertThat(read("M83\nG1 X50 Y10\nG1 X60 E1\n", "").toolpath().isPrint())
                .isTrue();
    }

    @Test
    void extrusionIsDistinguishedFromTravelInAbsoluteAndRelativeMode() throws IOException {
        String moves = "G1 X10 Y10 E%s\nG1 X90 Y90\nG1 X10 Y10 E%s\nG1 X20 Y15 E%s\n";
        assertThat(size("M82\nG92 E0\n;LAYER:0\nG1 X5 Y5 F100\n" + moves.formatted("1", "0.5", "2")))
                .as("absolute: the third is a retraction")
                .isEqualTo(new BedSize(15, 10, 0));
        assertThat(size(";LAYER:0\nG1 X5 Y5 F100\n" + moves.formatted("1", "-0.5", ".2")))
                .isEqualTo(new BedSize(15, 10, 0));
        assertThat(size("G91\n;LAYER:0\nG1 X5 Y5\nG1 X10 Y0 E1\nG1 X-3 Y2 E1\nG90\n"))
                .isEqualTo(new BedSize(10, 2, 0));
    }

    @Test
    void sizeIncludesArcsBeyondTheirEndPoints() throws IOException {
        assertThat(size(";LAYER:0\nG1 X10 Y0\nG3 X-10 Y0 I-10 J0 E1\n")).isEqualTo(new BedSize(20, 10, 0));
        assertThat(size(";LAYER:0\nG1 X10 Y0\nG2 X-10 Y0 I-10 J0 E1\n")).isEqualTo(new BedSize(20, 10, 0));
        assertThat(size(";LAYER:0\nG1 X10 Y0\nG2 X10 Y0 I-10 J0 E1\n"))
                .as("a whole circle")
                .isEqualTo(new BedSize(20, 20, 0));
        assertThat(size(";LAYER:0\nG1 X10 Y0\nG3 X0 Y10 I-10 J0 E1\n"))
                .as("a quarter")
                .isEqualTo(new BedSize(10, 10, 0));
    }

    @Test
    void gcodeWithoutFeatureCommentsCountsAsOneObject() throws IOException {
        assertThat(size("G1 Z0.3\n" + SQUARE)).isEqualTo(new BedSize(10, 12.5, 0.3));
        assertThat(size("G28\nM104 S200\n")).isNull();
    }

    /** Bambu Lab printers flush the nozzle beside the bed in the middle of a layer. */
    @Test
    void flushedFilamentIsNotMeasured() throws IOException {
        assertThat(size("; CHANGE_LAYER\n; FEATURE: Outer wall\n" + SQUARE
                        + "; FLUSH_START\nG1 X-48 Y10 E9\n; FLUSH_END\nG1 X100 Y50\n; FEATURE: Inner wall\n" + SQUARE))
                .isEqualTo(new BedSize(10, 12.5, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "'; CONFIG_BLOCK_START|; a = 1|; CONFIG_BLOCK_END|; EXECUTABLE_BLOCK_START|G1 X1 E1',"
                + " its EXECUTABLE_BLOCK is not closed",
        "'G1 X1 E1|; prusaslicer_config = begin|; a = 1', its prusaslicer_config is not closed",
        "'; thumbnail begin 16x16 100|; AAAA', its thumbnail is not closed",
        "'; printing object a|; stop printing object a|; printing object b|G1 X1 E1', its printing object is not closed",
        "'EXCLUDE_OBJECT_START NAME=a|G1 X1 E1', its printing object is not closed",
        "'; total layer number: 3|; CHANGE_LAYER|; CHANGE_LAYER', 2 of its 3 layers are there",
        "';LAYER_COUNT:2|;LAYER:0|;LAYER:1|;LAYER_COUNT:2|;LAYER:0', 3 of its 4 layers are there",
        "'; max_layer_z = 18.05|;Z:0.2|;Z:17.9', at 17.9 of its 18.05 mm",
        "'M73 P0 R9|G1 X1 E1|M73 P47 R5|M73 Q48 S5|G1 X2 E1', at 47 % of its print"
    })
    void incompleteBlockOrLayerIsReportedAsMissing(String lines, String error) throws IOException {
        assertThat(read(lines.replace("|", "\n"), "PrusaSlicer").missing()).isEqualTo("The file ends early: " + error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "; total layer number: 2|; CHANGE_LAYER|; CHANGE_LAYER",
                "; total layer number: 9|G1 X1 E1",
                "; total layer number: 9|; max_z_height: 2.00|;LAYER_CHANGE|;Z:2",
                "; EXECUTABLE_BLOCK_START|M73 P100 R0",
                "; thumbnail_QOI begin 16x16 100|; AAAA|; thumbnail_QOI end",
                "; thumbnails = 16x16|; thumbnails_format = PNG|G1 X1 E1",
                "M73 P0 R9|G1 X1 E1|M73 P99 R0|; filament used [mm] = 1",
                "G1 X1 E1"
            })
    void completeGcodeHasNothingMissing(String lines) throws IOException {
        assertThat(read(lines.replace("|", "\n"), "PrusaSlicer").missing()).isNull();
    }

    @Test
    void missingSlicerFooterRaisesADoubt() throws IOException {
        assertThat(read(";LAYER:0\nG1 X1 E1\n", "Cura").doubt()).contains("Cura ends a file with");
        assertThat(read(";LAYER:0\nG1 X1 E1\n;End of Gcode\n", "Cura").doubt()).isNull();
        assertThat(read("G1 X1 E1\n", "Somebody's").doubt()).isNull();
    }

    /** Returns the extruded lines, each as {@code x y > x y @ z tool}. */
    private static List<String> lines(String gcode) throws IOException {
        List<String> lines = new ArrayList<>();
        ToolpathParser.parse(
                new ByteArrayInputStream(gcode.getBytes(StandardCharsets.UTF_8)),
                Slicer.UNKNOWN,
                new ExtrusionListener() {
                    @Override
                    public void line(double fromX, double fromY, double toX, double toY, double z, int tool) {
                        lines.add("%.1f %.1f > %.1f %.1f @ %.1f %d".formatted(fromX, fromY, toX, toY, z, tool));
                    }

                    @Override
                    public void discard() {
                        lines.clear();
                    }
                });
        return lines;
    }

    @Test
    void extrusionsOfObjectsArePassedWithTheirTool() throws IOException {
        assertThat(lines("""
                M82
                G1 X200 Y-3 Z0.2 E15
                ;LAYER:0
                ;TYPE:SKIRT
                G1 X0 Y0 E16
                ;TYPE:WALL-OUTER
                G0 X10 Y10
                G1 X20 E17
                T1000
                T1
                G1 X30 E16.5
                G91
                G1 Y5 Z0.2 E18
                """)).containsExactly("10.0 10.0 > 20.0 10.0 @ 0.2 0", "30.0 10.0 > 30.0 15.0 @ 0.4 1");
    }

    /** A half circle around 20,10 yields the same lines in every notation. */
    @ParameterizedTest
    @CsvSource({"G2 X30 Y10 I10 J0 E1, 20", "G3 X30 Y10 I10 J0 E1, 0", "G2 X30 Y10 R10 E1, 20", "G3 X30 Y10 R10 E1, 0"})
    void arcIsSplitIntoLines(String arc, double highest) throws IOException {
        List<String> lines = lines("M83\nG0 X10 Y10 Z1\n" + arc);
        assertThat(lines).hasSize(16);
        assertThat(lines.get(7)).contains("> 20.0 %.1f @".formatted(highest));
        assertThat(lines.getLast()).endsWith("> 30.0 10.0 @ 1.0 0");
    }

    /** A block of a file may end in the middle of a line. */
    @Test
    void lineIsParsedWhenReadInPieces() throws BadFileException {
        var parser = new ToolpathParser(Slicer.UNKNOWN, ExtrusionListener.NONE);
        for (byte one : (";LAYER:0\nM83\n" + SQUARE).getBytes(StandardCharsets.UTF_8)) {
            parser.take(new byte[] {one});
        }
        assertThat(parser.toolpath().size()).isEqualTo(new BedSize(10, 12.5, 0));
    }

    @Test
    void lineLongerThanAMegabyteIsRejected() throws IOException {
        String megabyte = "G1 X10 Y0 E1 ; " + "x".repeat(1 << 20);
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> read(megabyte, ""))
                .withMessage("The G-code has a line of more than a megabyte, which no printer reads");
        assertThatExceptionOfType(BadFileException.class).isThrownBy(() -> read(megabyte + "\n", ""));
        assertThat(size(megabyte.substring(100) + "\nG1 X10 Y0 E1")).isEqualTo(new BedSize(10, 0, 0));
    }
}
