package farm.gantry.api.benchmark;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL's load generator pgbench, with the application's role and one store. */
record PgBench(Path folder, URI database, String store, String password) {
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");
    private static final String TOGETHER = "\\startpipeline\n";
    private static final String SEPARATOR = ";\n";
    private static final String END = "\\endpipeline\n";

    /** How statements are sent: by default pgbench parses and plans each execution; prepared, once per connection. */
    enum Protocol {
        simple,
        prepared
    }

    /** Runs the script repeatedly and returns its rate per second. */
    double rate(String script, Protocol protocol, int clients, int seconds) throws IOException, InterruptedException {
        boolean together = protocol == Protocol.simple && script.contains(TOGETHER);
        Path file = Files.writeString(
                folder.resolve("script.sql"),
                together
                        ? script.replace(TOGETHER, "")
                                .replace(SEPARATOR, "\\;\n")
                                .replace(END, "")
                        : script);
        ProcessBuilder pgbench = new ProcessBuilder(List.of(
                "pgbench",
                "--no-vacuum",
                "--protocol=" + protocol,
                "--client=" + clients,
                "--jobs=2",
                "--time=" + seconds,
                "--file=" + file));
        pgbench.environment().putAll(connection());
        pgbench.environment().put("PGOPTIONS", "-c gantry.store=" + store);
        Process process = pgbench.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher rate = RATE.matcher(output);
        if (process.waitFor() != 0 || !rate.find()) {
            throw new IOException(output);
        }
        return Double.parseDouble(rate.group(1));
    }

    /** Returns the environment variables that point PostgreSQL's clients to the database. */
    Map<String, String> connection() {
        return Map.of(
                "PGHOST",
                database.getHost(),
                "PGPORT",
                String.valueOf(database.getPort()),
                "PGUSER",
                "gantry_app",
                "PGDATABASE",
                database.getPath().substring(1),
                "PGPASSWORD",
                password);
    }

    /**
     * Returns the query after the statement that sets the store, both in one round trip and one implicit transaction,
     * as the API does.
     */
    String within(String query) {
        return TOGETHER + "select set_config('gantry.store', '%s', true)".formatted(store) + SEPARATOR + query + ";\n"
                + END;
    }
}
