package farm.gantry.ingest.threemf.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.ingest.reading.BadFileException;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadAheadStreamTest {
    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** A stream that fails at its first byte. */
    private static final class FailingStream extends FilterInputStream {
        FailingStream() {
            super(InputStream.nullInputStream());
        }

        @Override
        public int read(byte[] to, int offset, int most) throws IOException {
            throw new BadFileException("broken");
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                ReadAheadStream.BLOCK - 1,
                ReadAheadStream.BLOCK,
                ReadAheadStream.BLOCK + 1,
                3 * ReadAheadStream.BLOCK + 17
            })
    void readAheadStreamYieldsTheSameBytes(int length) throws IOException {
        try (InputStream in = new ReadAheadStream(new ByteArrayInputStream(bytes(length)))) {
            assertThat(in.readAllBytes()).isEqualTo(bytes(length));
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(new byte[2])).isEqualTo(-1);
        }
    }

    @Test
    void singleBytesAreReadInOrder() throws IOException {
        try (InputStream in = new ReadAheadStream(new ByteArrayInputStream(new byte[] {7, -1}))) {
            assertThat(new int[] {in.read(), in.read(), in.read()}).containsExactly(7, 255, -1);
        }
    }

    @Test
    void errorIsThrownAfterTheBlocksBeforeIt() throws IOException {
        byte[] whole = bytes(2 * ReadAheadStream.BLOCK);
        try (InputStream in =
                new ReadAheadStream(new SequenceInputStream(new ByteArrayInputStream(whole), new FailingStream()))) {
            assertThat(in.readNBytes(whole.length)).isEqualTo(whole);
            assertThatThrownBy(in::read).isInstanceOf(BadFileException.class).hasMessage("broken");
            assertThatThrownBy(in::read).isInstanceOf(BadFileException.class).hasMessage("broken");
        }
    }

    @Test
    void interruptedReaderStopsAndTheStreamIsClosedAfterTheLastRead() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        AtomicBoolean isReading = new AtomicBoolean();
        AtomicBoolean wasClosedWhileRead = new AtomicBoolean();
        InputStream slow = new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read(byte[] to, int offset, int most) throws IOException {
                isReading.set(true);
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                } finally {
                    isReading.set(false);
                }
                return -1;
            }

            @Override
            public void close() {
                wasClosedWhileRead.set(isReading.get());
            }
        };
        try (InputStream in = new ReadAheadStream(slow)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(in::read).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
            released.countDown();
        }
        assertThat(wasClosedWhileRead).isFalse();
    }
}
