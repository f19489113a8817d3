package farm.gantry.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import org.junit.jupiter.api.Test;

class SecretTokenTest {
    private final SecretToken key = SecretToken.generate(Id.next());

    @Test
    void keyTextIsParsedAsFormatted() {
        assertThat(key.toString()).hasSize(81).matches("[a-z0-9]+");
        assertThat(SecretToken.parse(key.toString())).contains(key);
    }

    @Test
    void keyWithOneWrongCharacterFailsItsChecksum() {
        String text = key.toString();
        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'a' ? 'b' : 'a';
            assertThat(SecretToken.parse(text.substring(0, i) + other + text.substring(i + 1)))
                    .isEmpty();
        }
        assertThat(SecretToken.parse(text + "a")).isEmpty();
        assertThat(SecretToken.parse("")).isEmpty();
    }

    @Test
    void secretMatchesOnlyItsOwnHash() {
        String hash = key.hash("pepper", "salt");
        assertThat(key.matches("pepper", "salt", hash)).isTrue();
        assertThat(key.matches("other", "salt", hash)).isFalse();
        assertThat(key.matches("pepper", "other", hash)).isFalse();
        assertThat(SecretToken.generate(key.id()).matches("pepper", "salt", hash)).isFalse();
    }
}
