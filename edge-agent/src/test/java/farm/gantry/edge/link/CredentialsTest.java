package farm.gantry.edge.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CredentialsTest {
    @ParameterizedTest
    @CsvSource({
        "https://one.example, https://two.example:8443, true",
        "http://192.168.1.2:8080, https://two.example, true",
        "http://192.168.1.2:8080, http://10.0.0.7:8080, true",
        "http://127.0.0.1:8080, http://[fd00::7]:8080, true",
        "https://one.example, http://10.0.0.7, false",
        "http://192.168.1.2:8080, http://93.184.215.14, false",
        "http://93.184.215.14, http://10.0.0.7, false",
        "https://one.example, https://user@two.example, false",
        "https://one.example, https://two.example/?a, false",
        "https://one.example, ftp://two.example, false",
        "https://one.example, two.example, false",
        "https://one.example, 'https://two example', false",
        "https://one.example, https://one.example/, false"
    })
    void agentFollowsItsStoreToAnAddressThatIsAsSafe(String before, String after, boolean isFollowed) {
        Credentials credentials = new Credentials(before, "agent1", "store1", "token");
        assertThat(credentials.movedTo(after).map(Credentials::api))
                .isEqualTo(isFollowed ? Optional.of(after) : Optional.empty());
    }
}
