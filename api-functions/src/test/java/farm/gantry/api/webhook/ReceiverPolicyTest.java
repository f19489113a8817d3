package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests to which addresses webhooks may be delivered. */
final class ReceiverPolicyTest {
    private final ReceiverPolicy receivers = new ReceiverPolicy(new WebhookSettings(false, List.of()));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://farm.example",
                "ftp://farm.example",
                "farm.example",
                "//farm.example",
                "https://",
                "https:///x",
                "https://user@farm.example",
                "https://farm.example/#x",
                "https://farm.example:port",
                "https://farm.example:0",
                "https://farm.example:65536",
                "https://farm.example:70000/",
                "https://farm.example:99999999999",
                "https://farm.example:-1",
                "https://a b",
                "https://localhost",
                "https://LOCALHOST.",
                "https://printer.local",
                "https://x.internal",
                "https://intranet",
                "https://127.0.0.1",
                "https://127.1",
                "https://2130706433",
                "https://0x7f.0.0.1",
                "https://10.1.2.3",
                "https://192.168.0.1:8443/x",
                "https://172.31.255.255",
                "https://169.254.169.254/latest/meta-data",
                "https://100.64.0.1",
                "https://0.0.0.0",
                "https://224.0.0.1",
                "https://255.255.255.255",
                "https://[::1]",
                "https://[::]",
                "https://[fe80::1]",
                "https://[fd00:ec2::254]",
                "https://[ff02::1]",
                "https://[::ffff:10.0.0.1]",
                "https://[::ffff:7f00:1]",
                "https://[64:ff9b::a00:1]",
                "https://[2002:a00:1::1]",
                "https://[::127.0.0.1]"
            })
    void nonPublicOrNonHttpsUrlIsRejected(String url) {
        assertThat(receivers.fault(url)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://farm.example",
                "HTTPS://farm.example:8443/a?b=c%20d",
                "https://1.1.1.1/x",
                "https://[64:ff9b::101:101]/",
                "https://[2606:4700::1]/"
            })
    void publicHttpsUrlIsAccepted(String url) {
        assertThat(receivers.fault(url)).isEmpty();
    }

    @Test
    void onlyTheConfiguredLocalServersMayReceiveDeliveries() {
        ReceiverPolicy policy = new ReceiverPolicy(
                new WebhookSettings(false, List.of("http://192.168.1.20:8080", "https://ntfy.home.lan")));
        assertThat(policy.fault("http://192.168.1.20:8080/message")).isEmpty();
        assertThat(policy.fault("https://NTFY.home.lan:443/")).isEmpty();
        assertThat(policy.isLocalReceiver(URI.create("http://192.168.1.20:8080/message")))
                .isTrue();
        for (String other : List.of(
                "http://192.168.1.20:8081/",
                "https://192.168.1.20:8080/",
                "http://192.168.1.21:8080/",
                "http://ntfy.home.lan/",
                "http://user@192.168.1.20:8080/")) {
            assertThat(policy.fault(other)).as(other).isPresent();
        }
        assertThat(policy.downloadFault("http://192.168.1.20:8080/part.stl")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"192.168.1.20:8080", "http://", "http://192.168.1.20/path", "ftp://nas.lan", "http://a@b.lan"})
    void localReceiverThatIsNoOriginStopsTheStart(String text) {
        assertThatThrownBy(() -> new ReceiverPolicy(new WebhookSettings(false, List.of(text))))
                .hasMessage(
                        "gantry.webhooks.local-receivers: " + text
                                + " is not an origin; write it as http://192.168.1.20:8080 or smtp://192.168.1.20:25, without a path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.0.0.1",
                "172.16.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "100.127.255.255",
                "0.0.0.0",
                "239.1.1.1",
                "255.255.255.255",
                "198.18.0.1",
                "::1",
                "::",
                "fe80::1",
                "fec0::1",
                "fd00:ec2::254",
                "ff02::1",
                "::ffff:192.168.1.1",
                "64:ff9b::7f00:1",
                "64:ff9b::a9fe:a9fe",
                "64:ff9b:1::101:101",
                "2001::1",
                "2001:db8::1",
                "2002:7f00:1::"
            })
    void nameThatResolvesToANonPublicAddressIsRejected(String address) throws UnknownHostException {
        InetAddress[] one = {InetAddress.ofLiteral(address)};
        InetAddress[] among = {InetAddress.ofLiteral("1.1.1.1"), InetAddress.ofLiteral(address)};
        assertThatThrownBy(() -> receivers.check(one)).isInstanceOf(UnknownHostException.class);
        assertThatThrownBy(() -> receivers.check(among)).isInstanceOf(UnknownHostException.class);
        assertThatCode(() -> receivers.check(new InetAddress[] {InetAddress.ofLiteral("1.1.1.1")}))
                .doesNotThrowAnyException();
    }

    @Test
    void mailServerMustBePublicAndEncryptedUnlessTheOperatorNamedIt() {
        ReceiverPolicy policy = new ReceiverPolicy(new WebhookSettings(false, List.of("smtp://192.168.1.20:25")));
        assertThat(policy.mailServerFault(URI.create("smtp://mail.example.com:587"), true))
                .isEmpty();
        assertThat(policy.mailServerFault(URI.create("smtp://192.168.1.20:25"), false))
                .isEmpty();
        assertThat(policy.mailServerFault(URI.create("smtp://192.168.1.20:587"), true))
                .contains("must not be a local or private address");
        assertThat(policy.mailServerFault(URI.create("smtp://mail.example.com:25"), false))
                .hasValueSatisfying(fault -> assertThat(fault).contains("gantry.webhooks.local-receivers"));
    }
}
