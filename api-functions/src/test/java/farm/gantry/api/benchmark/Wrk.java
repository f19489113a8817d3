package farm.gantry.api.benchmark;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load generator {@code wrk}, whose clients are in a process of their own and need little CPU time. */
record Wrk(Path folder, URI api, String key) {
    private static final Pattern RATE = Pattern.compile("Requests/sec: +([0-9.]+)");

    static boolean isPresent() throws InterruptedException {
        try {
            new ProcessBuilder("wrk", "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns a load generator with the same clients for another service. */
    Wrk at(URI other) {
        return new Wrk(folder, other, key);
    }

    /**
     * Sends the request over and over and answers how often a second it was answered.
     *
     * @param target a Lua expression
     * @param body JSON; empty for none
     */
    double rate(String method, String target, String body, int clients, int seconds)
            throws IOException, InterruptedException {
        String request = "wrk.format('%s', %s, headers, %s)".formatted(method, target, body.isEmpty() ? "nil" : "body");
        Path script = Files.writeString(folder.resolve("script.lua"), """
                local headers = {["authorization"] = "ApiKey %s", ["content-type"] = "application/json"}
                local body = [==[%s]==]
                function init(args) math.randomseed(os.time()) end
                function request() return %s end
                """.formatted(key, body, request));
        Process process = new ProcessBuilder(List.of(
                        "wrk",
                        "--threads=1",
                        "--connections=" + clients,
                        "--duration=" + seconds,
                        "--script=" + script,
                        api.toString()))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher rate = RATE.matcher(output);
        if (process.waitFor() != 0 || !rate.find() || output.contains("Non-2xx") || output.contains("Socket errors")) {
            throw new IOException(output);
        }
        return Double.parseDouble(rate.group(1));
    }
}
