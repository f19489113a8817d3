package farm.gantry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BrokerAddressTest {
    private static BrokerAddress of(String text) {
        URI url = URI.create(text);
        return BrokerAddress.parse("broker", url.getScheme(), url.getHost(), url.getPort());
    }

    @Test
    void schemeDecidesTlsCaseInsensitively() {
        assertThat(of("MQTTS://b.example"))
                .isEqualTo(new BrokerAddress("b.example", 8883, true))
                .hasToString("mqtts://b.example:8883");
        assertThat(of("mqtt://b.example")).isEqualTo(new BrokerAddress("b.example", 1883, false));
        assertThat(of("mqtts://b.example:443/")).isEqualTo(new BrokerAddress("b.example", 443, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ssl://b.example", "tls://b.example", "wss://b.example", "b.example", "//b.example", "mqtts:///x"
            })
    void invalidBrokerAddressIsRejected(String url) {
        assertThatThrownBy(() -> of(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("broker must be mqtts://");
    }
}
