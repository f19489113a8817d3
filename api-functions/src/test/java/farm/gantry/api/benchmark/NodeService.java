package farm.gantry.api.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A hand-written Node service over the same rows, as a baseline: {@code node-service/service.js} with npm libraries. */
record NodeService(Process process, URI address) implements AutoCloseable {

    /** Installs and starts the service; returns empty, and prints the reason, when that is not possible. */
    static Optional<NodeService> start(Path folder, PgBench database, int clients)
            throws IOException, InterruptedException {
        Path home = Files.createDirectories(folder.resolve("node-service"));
        for (String file : new String[] {"package.json", "service.js"}) {
            try (InputStream content = NodeService.class.getResourceAsStream("/node-service/" + file)) {
                Files.copy(content, home.resolve(file));
            }
        }
        try {
            Process install = new ProcessBuilder("npm", "install", "--silent", "--no-audit", "--no-fund")
                    .directory(home.toFile())
                    .inheritIO()
                    .start();
            if (install.waitFor() != 0) {
                System.out.println("left out beside Node.js, for npm could not install its libraries");
                return Optional.empty();
            }
        } catch (IOException e) {
            System.out.println("left out beside Node.js, for there is no npm: " + e.getMessage());
            return Optional.empty();
        }
        ProcessBuilder node = new ProcessBuilder("node", "service.js", String.valueOf(clients), database.store())
                .directory(home.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        node.environment().put("NODE_ENV", "production");
        node.environment().putAll(database.connection());
        Process process = node.start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String address = output.readLine();
        if (address == null) {
            throw new IOException("the service of Node.js ended with " + process.waitFor());
        }
        return Optional.of(new NodeService(process, URI.create(address)));
    }

    @Override
    public void close() {
        process.destroy();
    }
}
