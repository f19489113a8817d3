package farm.gantry.api.apikey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.apikey.SecretToken;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PepperTest {
    private final SecretToken key = SecretToken.generate(Id.next());

    @Test
    void hashesOfAllVersionsVerifyAfterRotation() {
        Pepper first = new Pepper("plain");
        String hash = first.hash(key, "salt");
        Pepper second = new Pepper(first.rotate("another").active());
        String later = second.hash(key, "salt");
        Pepper third = new Pepper(second.rotate("third").active());
        assertThat(third.matches(key, "salt", hash)).isTrue();
        assertThat(third.matches(key, "salt", later)).isTrue();
        assertThat(third.matches(key, "other salt", later)).isFalse();
        assertThat(third.isOutdated(hash)).isTrue();
        assertThat(third.isOutdated(third.hash(key, "salt"))).isFalse();
        assertThat(third.oldest()).isEqualTo("plain");
        assertThat(first.matches(key, "salt", later))
                .as("of an unknown version")
                .isFalse();
    }

    @Test
    void hashesOfBothVersionsVerifyDuringRotation() {
        Pepper.Rotation rotation = new Pepper("plain").rotate("another");
        Pepper known = new Pepper(rotation.announced());
        Pepper used = new Pepper(rotation.active());
        assertThat(new Pepper("plain").matches(key, "salt", known.hash(key, "salt")))
                .isTrue();
        assertThat(known.matches(key, "salt", used.hash(key, "salt"))).isTrue();
        assertThat(used.matches(key, "salt", known.hash(key, "salt"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a pass phrase", "with:colon"})
    void rotationIsRejectedForAnIncompatibleVersion(String plain) {
        assertThatThrownBy(() -> new Pepper(plain).rotate("fresh")).hasMessageContaining("spaces or colons");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2:b,1:a c", "2:b 1:", "2:b 2:a"})
    void startFailsWhenVersionsAreUnreadable(String text) {
        assertThatThrownBy(() -> new Pepper(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
