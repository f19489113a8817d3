package farm.gantry.api.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests a separate worker process whose database is not always available. */
@Tag("install")
final class WorkCommandTest {
    @TempDir
    Path folder;

    @Test
    void databaseIsRetriedWhenNotReadyYet() throws Exception {
        CountDownLatch stale = new CountDownLatch(1);
        CountDownLatch fresh = new CountDownLatch(1);
        try (ServerSocket gone = refusing(stale);
                ServerSocket next = refusing(fresh)) {
            sayReady(gone);
            WorkCommand work = new WorkCommand();
            var ended = new FutureTask<>(() -> new CommandLine(work).execute("--data", folder.toString()));
            Thread.ofPlatform().start(ended);
            assertThat(stale.await(60, TimeUnit.SECONDS)).isTrue();
            sayReady(next);
            assertThat(fresh.await(60, TimeUnit.SECONDS)).isTrue();
            work.stop();
            assertThat(ended.get(60, TimeUnit.SECONDS)).isZero();
        }
    }

    private void sayReady(ServerSocket server) throws IOException {
        Path data = Files.createDirectories(folder.resolve("postgres/data"));
        Files.writeString(
                data.resolve("postmaster.pid"), "1\n.\n0\n" + server.getLocalPort() + "\n\n127.0.0.1\n0\nready\n");
    }

    /** Accepts and closes connections, as PostgreSQL does while it shuts down. */
    private static ServerSocket refusing(CountDownLatch met) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!server.isClosed()) {
                try {
                    server.accept().close();
                    met.countDown();
                } catch (SocketException closed) {
                    return;
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        return server;
    }
}
