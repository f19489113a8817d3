package farm.gantry.ingest.bgcode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.sample.ThreemfFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BgcodeReaderTest {
    private static final String PRINT = """
            estimated printing time (normal mode)=1h 2m 3s
            filament used [mm]=986.61
            filament used [g]=3.01
            """;
    private static final String SLICER = """
            filament_type=PETG
            filament_colour=#ff8000
            first_layer_temperature=230
            first_layer_bed_temperature=85
            layer_height=0.15
            printer_model=MINI
            """;

    /** {@code G1 X10\n} as Meatpack, between the commands that switch packing on and off. */
    private static final byte[] MOVE = {
        (byte) 0xFF, (byte) 0xFF, (byte) 251, 0x1D, (byte) 0xEB, 0x01, 0x0C, (byte) 0xFF, (byte) 0xFF, (byte) 250
    };

    @TempDir
    Path folder;

    private static byte[] block(int kind, int packing, byte[] data, byte[] packed, int... parameters) {
        var bytes = ByteBuffer.allocate(12 + parameters.length * 2 + packed.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) kind)
                .putShort((short) packing)
                .putInt(data.length);
        if (packing != 0) {
            bytes.putInt(packed.length);
        }
        for (int parameter : parameters) {
            bytes.putShort((short) parameter);
        }
        byte[] block = Arrays.copyOf(bytes.put(packed).array(), bytes.position());
        var sum = new CRC32();
        sum.update(block);
        return ByteBuffer.allocate(block.length + 4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(block)
                .putInt((int) sum.getValue())
                .array();
    }

    private static byte[] plain(int kind, String text) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        return block(kind, 0, data, data, 0);
    }

    private static byte[] deflated(int kind, String text) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        var deflater = new Deflater();
        deflater.setInput(data);
        deflater.finish();
        byte[] packed = new byte[1000];
        int length = deflater.deflate(packed);
        deflater.end();
        return block(kind, 1, data, Arrays.copyOf(packed, length), 0);
    }

    private Path file(byte[]... blocks) throws IOException {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes("GCDE\1\0\0\0\1\0".getBytes(StandardCharsets.ISO_8859_1));
        List.of(blocks).forEach(bytes::writeBytes);
        return Files.write(folder.resolve("part.bgcode"), bytes.toByteArray());
    }

    private Path whole() throws IOException {
        return file(
                plain(0, "Producer=PrusaSlicer 2.9.4\nProduced on=2026-03-04 at 10:20:30 UTC\n"),
                plain(3, "printer_model=MINI\n"),
                block(5, 0, ThreemfFiles.PNG, ThreemfFiles.PNG, 0, 1, 1),
                plain(4, PRINT),
                deflated(2, SLICER),
                block(1, 0, MOVE, MOVE, 1));
    }

    @Test
    void binaryGcodeYieldsTheMetadataOfTextGcode() throws IOException {
        GcodeMetadata facts =
                Objects.requireNonNull(new BgcodeReader().read(whole()).firstGcode());
        assertThat(facts.slicer().toString()).isEqualTo("slicer3 2.9.4");
        assertThat(facts.slicedAt()).hasToString("2026-03-04T10:20:30Z");
        assertThat(facts.estimatedSeconds()).isEqualTo(3723);
        assertThat(facts.filaments().grams(0)).isEqualTo(3.01);
        assertThat(facts.metadata().filamentType()).containsExactly("PETG");
        assertThat(facts.metadata().printerModel()).isEqualTo("MINI");
        assertThat(facts.firstLayer().bedTemperature()).isEqualTo(85);
        assertThat(facts.firstLayer().nozzleTemperature()).isEqualTo(230);
    }

    @Test
    void thumbnailIsExtracted() throws IOException {
        List<Picture> pictures = new BgcodeReader().pictures(whole(), folder);
        assertThat(pictures).hasSize(1);
        assertThat(pictures.getFirst().file()).hasBinaryContent(ThreemfFiles.PNG);
    }

    @Test
    void changedByteFailsTheChecksum() throws IOException {
        Path file = whole();
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 8] ^= 1;
        assertRefused(Files.write(file, bytes), "checksum differs");
    }

    @Test
    void malformedBlocksAreRejected() throws IOException {
        assertRefused(file(block(1, 1, new byte[70000], new byte[] {1, 2, 3}, 0)), "cannot be unpacked");
        assertRefused(file(block(1, 2, new byte[500], new byte[] {1, 2, 3}, 0)), "size of a block differs");
        assertRefused(file(block(1, 0, new byte[500], new byte[3], 0)), "reaches beyond its end");
        assertRefused(file(block(9, 0, new byte[3], new byte[3], 0)), "block of an unknown type");
        assertRefused(file(plain(0, "Producer=x\n")), "contains no G-code");
        Path old = Files.write(folder.resolve("old"), "GCDE\2\0\0\0\1\0".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(old, "version 2");
    }

    /** Each block alone is within the limit, and the file itself is small. */
    @Test
    void blocksTooLargeInTotalAreRejected() throws IOException {
        byte[] moves = block(1, 0, MOVE, MOVE, 1);
        byte[] large = new byte[16 << 20];
        byte[] packed = {1, 2, 3};
        byte[] settings = block(2, 1, large, packed, 0);
        assertRefused(file(settings, plain(3, "printer_model=MINI\n"), moves), "more than 16 MB of settings");
        byte[] picture = block(5, 1, large, packed, 0, 1, 1);
        assertRefused(file(picture, picture, picture, picture, picture, moves), "more than 64 MB of pictures");
        byte[][] print = new byte[513][];
        Arrays.fill(print, block(1, 1, large, packed, 0));
        assertRefused(file(print), "more than 8192 MB of moves");
    }

    private static void assertRefused(Path file, String why) {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> new BgcodeReader().read(file))
                .withMessageContaining(why);
    }

    @Test
    void meatpackIsDecodedToLines() {
        assertThat(MeatpackParser.decode(MOVE)).asString().isEqualTo("G1 X10\n");
        byte[] spaceless = {
            (byte) 0xFF,
            (byte) 0xFF,
            (byte) 251,
            (byte) 0xFF,
            (byte) 0xFF,
            (byte) 247,
            0x1D,
            0x1E,
            (byte) 0xB0,
            0x2F,
            'F',
            0x0C
        };
        assertThat(MeatpackParser.decode(spaceless)).asString().isEqualTo("G1 X10 E F2\n");
    }

    @Test
    void heatshrinkBackReferenceRepeatsEarlierBytes() {
        byte[] packed = {(byte) 0b1011_0000, (byte) 0b1000_0000, 0b0000_0001, 0b0000_0000};
        assertThat(HeatshrinkDecoder.decode(packed, 3, 11))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo("aaa");
    }
}
