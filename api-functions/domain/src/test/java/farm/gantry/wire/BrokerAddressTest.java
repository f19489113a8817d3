package farm.gantry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BrokerAddressTest {
    @Test
    void theSchemeSaysInAnyCaseWhetherThereIsTls() {
        assertThat(BrokerAddress.of("broker", URI.create("MQTTS://b.example")))
                .isEqualTo(new BrokerAddress("b.example", 8883, true))
                .hasToString("mqtts://b.example:8883");
        assertThat(BrokerAddress.of("broker", URI.create("mqtt://b.example")))
                .isEqualTo(new BrokerAddress("b.example", 1883, false));
        assertThat(BrokerAddress.of("broker", URI.create("mqtts://b.example:443/")))
                .isEqualTo(new BrokerAddress("b.example", 443, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ssl://b.example", "tls://b.example", "wss://b.example", "b.example", "//b.example", "mqtts:///x"
            })
    void anotherAddressIsRefusedAndNotTakenForOneWithoutTls(String url) {
        assertThatThrownBy(() -> BrokerAddress.of("gantry.link.broker.url", URI.create(url)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gantry.link.broker.url must be mqtts://");
    }
}
