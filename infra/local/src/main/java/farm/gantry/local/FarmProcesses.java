package farm.gantry.local;

import farm.gantry.api.main.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Starts the processes of a farm, with its logs and the agent's data in the folder. */
record FarmProcesses(
        Path folder, Installation install, List<String> settings, List<String> agentOptions, AtomicInteger names) {
    private static final String SERVE = "farm.gantry.api.main.ServeCommand";
    private static final String WORK = "farm.gantry.api.main.WorkCommand";
    private static final String AGENT = "farm.gantry.edge.AgentCommand";

    /**
     * The storage that a farm's processes share: a folder, or another storage that these options and environment
     * variables configure. {@code key} is the owner's API key, if the start of the API does not print it.
     */
    record Installation(List<String> options, Map<String, String> environment, Optional<String> key) {
        static final Installation FOLDER = new Installation(List.of(), Map.of(), Optional.empty());

        /** Returns the same installation, reached by other options. */
        Installation with(List<String> others) {
            return new Installation(others, environment, key);
        }
    }

    FarmProcesses(Path folder, Installation install, List<String> settings, List<String> agentOptions) {
        this(folder, install, settings, agentOptions, new AtomicInteger());
    }

    /** Returns the processes of the same farm that have other options of the installation. */
    FarmProcesses with(List<String> options) {
        return new FarmProcesses(folder, install.with(options), settings, agentOptions, names);
    }

    Path agentData() {
        return folder.resolve("agent");
    }

    void pairAgent(String url, String code) throws IOException, InterruptedException {
        ChildProcess.runToEnd(
                "pair",
                folder.resolve("logs"),
                AGENT,
                List.of(
                        "pair",
                        "--api",
                        url,
                        "--code",
                        code,
                        "--name",
                        "agent",
                        "--data",
                        agentData().toString()));
    }

    /** Starts an API process. It terminates itself at the crash point {@code crashAt}, unless that is empty. */
    ChildProcess startApi(String crashAt, int port, Path data) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--data", data.toString(), "--port", String.valueOf(port)));
        arguments.addAll(settings);
        return startProcess("api", crashAt, SERVE, arguments);
    }

    private ChildProcess startProcess(String name, String crashAt, String main, List<String> arguments)
            throws IOException {
        arguments.addAll(install.options());
        return ChildProcess.start(
                name + "-" + names.incrementAndGet(),
                folder.resolve("logs"),
                crashOptions(crashAt),
                main,
                arguments,
                install.environment());
    }

    ChildProcess startWorker(String name, String crashAt, Path data) throws IOException {
        return startProcess(
                "worker",
                crashAt,
                WORK,
                new ArrayList<>(List.of(
                        "--data", data.toString(), "--name", name, "--set", "gantry.worker.lease-duration=10s")));
    }

    ChildProcess startAgent(String crashAt) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("run", "--data", agentData().toString(), "--status-port", "0", "--grace-seconds", "5"));
        arguments.addAll(agentOptions);
        return ChildProcess.start(
                "agent-" + names.incrementAndGet(), folder.resolve("logs"), crashOptions(crashAt), AGENT, arguments);
    }

    private static List<String> crashOptions(String at) {
        return Stream.concat(Stream.of("-Dgantry.crashAt=" + at), ChildProcess.SMALL_JVM_OPTIONS.stream())
                .toList();
    }
}
