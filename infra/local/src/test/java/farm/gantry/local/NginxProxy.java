package farm.gantry.local;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.api.main.postgres.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The proxy of {@code compose.several.yaml}, with its own configuration, before two APIs of this machine. */
record NginxProxy(Process process, int port) implements AutoCloseable {
    private static final Path CONFIGURATION = Path.of("../containers/nginx.conf");

    /** Starts nginx; skips the test where it is not installed. */
    static NginxProxy start(Path folder, List<Integer> apis) throws IOException {
        Path program = Stream.of("/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of(""));
        assumeTrue(Files.isExecutable(program), "nginx is not installed: apt install nginx-light");
        int port = FreePorts.choose();
        String server = Files.readString(CONFIGURATION)
                .replace("api1:8080", "127.0.0.1:" + apis.getFirst())
                .replace("api2:8080", "127.0.0.1:" + apis.getLast())
                .replace("listen 8080", "listen 127.0.0.1:" + port);
        Path own = Files.createDirectory(folder.resolve("nginx"));
        Path configuration = Files.writeString(own.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid %1$s/pid;
                error_log %1$s/error.log;
                events {}
                http {
                access_log off;
                client_body_temp_path %1$s/body;
                proxy_temp_path %1$s/proxy;
                fastcgi_temp_path %1$s/fastcgi;
                uwsgi_temp_path %1$s/uwsgi;
                scgi_temp_path %1$s/scgi;
                %2$s
                }
                """.formatted(own, server));
        Process process = new ProcessBuilder(program.toString(), "-c", configuration.toString(), "-p", own.toString())
                .redirectErrorStream(true)
                .redirectOutput(own.resolve("output.log").toFile())
                .start();
        Eventually.until("nginx listens", () -> accepts(port), () -> process.isAlive() ? "it runs" : "it has ended");
        return new NginxProxy(process, port);
    }

    static boolean accepts(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
