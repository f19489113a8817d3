package farm.gantry.api.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class MinimumRateStreamTest {
    private static final Duration GRACE_PERIOD = Duration.ofMillis(50);

    /** A stream that returns one byte per read. */
    private static final class SlowStream extends InputStream {
        @Override
        public int read() {
            return 'x';
        }
    }

    @Test
    void slowStreamIsClosed() throws IOException {
        try (MinimumRateStream stream = new MinimumRateStream(new SlowStream(), GRACE_PERIOD, Long.MAX_VALUE)) {
            assertThatThrownBy(() -> {
                        while (stream.read() >= 0) {
                            Thread.onSpinWait();
                        }
                    })
                    .isInstanceOf(MinimumRateStream.TooSlowException.class);
        }
    }

    @Test
    void fastStreamIsRead() throws IOException {
        try (MinimumRateStream stream =
                new MinimumRateStream(new ByteArrayInputStream(new byte[100]), Duration.ofHours(1), 1000)) {
            assertThat(stream.readAllBytes()).hasSize(100);
        }
    }
}
