package farm.gantry.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Runs the shell blocks of pages in bash, all blocks of a page in one process and in order. The variables that a page
 * sets are those of the next page too.
 */
final class PageShell {
    private static final int TIMEOUT_MINUTES = 5;
    private static final String HEAD = "set -aeuo pipefail\n";

    private final Path folder;
    private final Map<String, String> variables;

    PageShell(Path folder, Map<String, String> variables) {
        this.folder = folder;
        this.variables = new TreeMap<>(variables);
    }

    /** Returns what each block printed; fails when one ends with an error. */
    List<String> run(List<MarkdownPage.Step> steps) throws IOException, InterruptedException {
        Path outputs = Files.createTempDirectory(folder, "page");
        StringBuilder script = new StringBuilder(HEAD);
        for (int i = 0; i < steps.size(); i++) {
            script.append("{\n%s} >'%s'\n".formatted(steps.get(i).shell().text(), outputs.resolve(i + ".out")));
        }
        script.append("env -0 >'%s'\n".formatted(outputs.resolve("environment")));
        Path errors = outputs.resolve("errors");
        ProcessBuilder bash = new ProcessBuilder(
                        "bash",
                        Files.writeString(outputs.resolve("page.sh"), script).toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(errors.toFile());
        bash.environment().putAll(variables);
        Process process = bash.start();
        boolean hasEnded = process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        List<String> printed = new ArrayList<>();
        for (int i = 0; i < steps.size() && Files.exists(outputs.resolve(i + ".out")); i++) {
            printed.add(Files.readString(outputs.resolve(i + ".out")));
        }
        if (!hasEnded || process.exitValue() != 0) {
            throw new AssertionError("the block in line %d %s; it printed:%n%s%s"
                    .formatted(
                            steps.get(Math.max(0, printed.size() - 1)).shell().line(),
                            hasEnded ? "failed" : "did not end in " + TIMEOUT_MINUTES + " minutes",
                            printed.isEmpty() ? "" : printed.getLast(),
                            Files.readString(errors)));
        }
        keepVariables(Files.readString(outputs.resolve("environment")));
        return printed;
    }

    private void keepVariables(String environment) {
        for (String entry : environment.split("\0", -1)) {
            String[] both = entry.split("=", 2);
            if (both.length == 2 && !both[0].equals("PWD") && !both[0].equals("OLDPWD")) {
                variables.put(both[0], both[1]);
            }
        }
    }

    /** Returns the value of a variable that a page set. */
    String variable(String name) {
        String value = variables.get(name);
        if (value == null) {
            throw new AssertionError("no page set the variable " + name);
        }
        return value;
    }
}
