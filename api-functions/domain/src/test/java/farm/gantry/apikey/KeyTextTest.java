package farm.gantry.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import org.junit.jupiter.api.Test;

class KeyTextTest {
    private final KeyText key = KeyText.next(Id.next());

    @Test
    void keyTextIsParsedAsFormatted() {
        assertThat(key.toString()).hasSize(81).matches("[a-z0-9]+");
        assertThat(KeyText.parse(key.toString())).contains(key);
    }

    @Test
    void keyWithOneWrongCharacterFailsItsChecksum() {
        String text = key.toString();
        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'a' ? 'b' : 'a';
            assertThat(KeyText.parse(text.substring(0, i) + other + text.substring(i + 1)))
                    .isEmpty();
        }
        assertThat(KeyText.parse(text + "a")).isEmpty();
        assertThat(KeyText.parse("")).isEmpty();
    }

    @Test
    void secretMatchesOnlyItsOwnHash() {
        String hash = key.hash("pepper", "salt");
        assertThat(key.matches("pepper", "salt", hash)).isTrue();
        assertThat(key.matches("other", "salt", hash)).isFalse();
        assertThat(key.matches("pepper", "other", hash)).isFalse();
        assertThat(KeyText.next(key.id()).matches("pepper", "salt", hash)).isFalse();
    }
}
