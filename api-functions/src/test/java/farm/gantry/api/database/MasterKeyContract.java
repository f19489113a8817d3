package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Tests how every kind of master key wraps the keys that encrypt secrets. */
public interface MasterKeyContract {
    static byte[] dataKey() {
        return new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    }

    /** Returns a new object for the same key. */
    MasterKey masterKey();

    @Test
    default void wrappedKeyIsUnwrappedByEveryProcess() throws GeneralSecurityException {
        assertThat(masterKey().unwrap(masterKey().wrap(dataKey()))).isEqualTo(dataKey());
    }

    @Test
    default void wrappingIsRandomized() {
        MasterKey key = masterKey();
        assertThat(key.wrap(dataKey())).isNotEqualTo(key.wrap(dataKey()));
    }

    @Test
    default void alteredKeyIsRejected() {
        byte[] wrapped = Base64.getDecoder().decode(masterKey().wrap(dataKey()));
        wrapped[wrapped.length - 1] ^= 1;
        String altered = Base64.getEncoder().encodeToString(wrapped);
        assertThatThrownBy(() -> masterKey().unwrap(altered)).isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    default void unwrappedKeyMayBeWiped() throws GeneralSecurityException {
        MasterKey key = masterKey();
        String wrapped = key.wrap(dataKey());
        Arrays.fill(key.unwrap(wrapped), (byte) 0);
        assertThat(key.unwrap(wrapped)).isEqualTo(dataKey());
    }
}
