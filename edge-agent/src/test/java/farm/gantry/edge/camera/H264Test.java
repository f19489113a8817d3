package farm.gantry.edge.camera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packets of 12 bytes of head, of which 2 number it. */
class H264Test {
    private static final String BEGIN = "00000001";

    private final H264 film = new H264(List.of());

    @Test
    void whatADecoderMustKnowComesFirst() throws Exception {
        H264 described = new H264(List.of(bytes("6742"), bytes("68ce")));
        assertThat(hex(described.unpack(packet(1, "65aabb"))))
                .isEqualTo(BEGIN + "6742" + BEGIN + "68ce" + BEGIN + "65aabb");
        assertThat(hex(described.unpack(packet(2, "41cc")))).isEqualTo(BEGIN + "41cc");
    }

    @Test
    void unitsThatComeTogetherAreTakenApart() throws Exception {
        assertThat(hex(film.unpack(packet(1, "78" + "0002" + "6742" + "0003" + "68ce01"))))
                .isEqualTo(BEGIN + "6742" + BEGIN + "68ce01");
    }

    @Test
    void aUnitThatComesInPartsIsPutTogether() throws Exception {
        assertThat(film.unpack(packet(0xFFFF, "7c85" + "aa"))).isEmpty();
        assertThat(film.unpack(packet(0, "7c05" + "bb"))).isEmpty();
        assertThat(hex(film.unpack(packet(1, "7c45" + "cc")))).isEqualTo(BEGIN + "65aabbcc");
    }

    @Test
    void aUnitOfWhichAPartIsLostIsLeftOutAndTheNextOneIsNot() throws Exception {
        assertThat(film.unpack(packet(1, "7c85" + "aa"))).isEmpty();
        assertThat(film.unpack(packet(3, "7c45" + "cc"))).isEmpty();
        assertThat(hex(film.unpack(packet(4, "41dd")))).isEqualTo(BEGIN + "41dd");
    }

    @Test
    void whatAPacketBearsBesideTheFilmIsLeftOut() throws Exception {
        byte[] laden = bytes(
                "b160" + "0001" + "00000000" + "00000000" + "11111111" + "bede0001" + "22222222" + "41dd" + "000003");
        assertThat(hex(film.unpack(laden))).isEqualTo(BEGIN + "41dd");
    }

    @Test
    void anythingElseIsABrokenFilmAndNoMore() {
        for (String broken : List.of("", "8060", "b060000100000000", "a060000100000000000000004155ff")) {
            assertThatThrownBy(() -> film.unpack(bytes(broken))).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> film.unpack(packet(1, ""))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> film.unpack(packet(1, "78ffff00"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> film.unpack(packet(1, "7c"))).isInstanceOf(IOException.class);
    }

    private static byte[] packet(int number, String payload) {
        return bytes("8060" + "%04x".formatted(number) + "0000000000000001" + payload);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
