package farm.gantry.api.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1, true",
        "10.0.0.1, 10.0.0.2, false",
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.128/25, 10.0.0.127, false",
        "10.0.0.128/25, 10.0.0.255, true",
        "0.0.0.0/0, 203.0.113.9, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "10.0.0.1/32, 10.0.0.1, true",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "::/0, 2001:db8::1, true",
        "::/0, 10.0.0.1, false",
        "::1/128, ::1, true",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "::ffff:10.0.0.1, 10.0.0.1, true",
        "::ffff:10.0.0.0/104, 10.9.9.9, true",
        "::ffff:10.0.0.0/104, 11.0.0.0, false",
        "::ffff:10.0.0.1/128, 10.0.0.1, true",
        "::ffff:10.0.0.1/128, 10.0.0.2, false",
        "::ffff:0:0/96, 203.0.113.9, true"
    })
    void rangeContainsTheAddressesOfItsBlock(String range, String address, boolean isHeld) {
        assertThat(AddressRange.parse(range).orElseThrow().contains(InetAddress.ofLiteral(address)))
                .isEqualTo(isHeld);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.1.0.0/16, true",
        "10.0.0.0/8, 10.0.0.0/8, true",
        "10.1.0.0/16, 10.0.0.0/8, false",
        "10.0.0.0/8, 11.0.0.1, false",
        "::ffff:10.0.0.0/104, 10.1.2.3, true",
        "::/0, 10.0.0.1, false"
    })
    void rangeContainsTheBlocksInsideIt(String range, String other, boolean isContained) {
        assertThat(AddressRange.parse(range)
                        .orElseThrow()
                        .contains(AddressRange.parse(other).orElseThrow()))
                .isEqualTo(isContained);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "10.0.0.256",
                "10.0.0.1/33",
                "10.0.0.1/",
                "10.0.0.1/-1",
                "::1/129",
                "::ffff:10.0.0.1/95",
                "::ffff:10.0.0.1/129",
                "example.com",
                "fe80::1%eth0",
                "10.0.0.1 ",
                "1.2.3",
                "127.1",
                "1.2.3/8",
                "1.2.3.4/08",
                "01.2.3.4",
                "1.2.3.004",
                "::ffff:1.2.3",
                "::ffff:01.2.3.4",
                "::1/08",
                "1.2.3.4.5"
            })
    void invalidRangeIsRejected(String text) {
        assertThat(AddressRange.parse(text)).isEmpty();
    }
}
