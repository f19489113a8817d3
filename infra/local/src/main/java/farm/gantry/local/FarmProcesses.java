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
        Path folder, Install install, List<String> settings, List<String> agentOptions, AtomicInteger names) {
    private static final String SERVE = "farm.gantry.api.main.ServeCommand";
    private static final String WORK = "farm.gantry.api.main.WorkCommand";
    private static final String AGENT = "farm.gantry.edge.AgentCommand";

    /**
     * The shared storage of a farm's processes: in a folder, or elsewhere by these options of APIs and workers and
     * environment variables; and the owner's key, if no start shows it.
     */
    record Install(List<String> options, Map<String, String> environment, Optional<String> key) {
        static final Install FOLDER = new Install(List.of(), Map.of(), Optional.empty());
    }

    FarmProcesses(Path folder, Install install, List<String> settings, List<String> agentOptions) {
        this(folder, install, settings, agentOptions, new AtomicInteger());
    }

    Path agentData() {
        return folder.resolve("agent");
    }

    void pair(String url, String code) throws IOException, InterruptedException {
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

    /** Starts an API that dies at that point of its work, if one is named. */
    ChildProcess api(String crashAt, int port, Path data) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--data", data.toString(), "--port", String.valueOf(port)));
        arguments.addAll(settings);
        return process("api", crashAt, SERVE, arguments);
    }

    private ChildProcess process(String name, String crashAt, String main, List<String> arguments) throws IOException {
        arguments.addAll(install.options());
        return ChildProcess.start(
                name + "-" + names.incrementAndGet(),
                folder.resolve("logs"),
                crashing(crashAt),
                main,
                arguments,
                install.environment());
    }

    ChildProcess worker(String name, String crashAt, Path data) throws IOException {
        return process(
                "worker",
                crashAt,
                WORK,
                new ArrayList<>(
                        List.of("--data", data.toString(), "--name", name, "--set", "gantry.worker.lease=10s")));
    }

    ChildProcess agent(String crashAt) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("run", "--data", agentData().toString(), "--status-port", "0", "--grace-seconds", "5"));
        arguments.addAll(agentOptions);
        return ChildProcess.start(
                "agent-" + names.incrementAndGet(), folder.resolve("logs"), crashing(crashAt), AGENT, arguments);
    }

    private static List<String> crashing(String at) {
        return Stream.concat(Stream.of("-Dgantry.crashAt=" + at), ChildProcess.SMALL_JVM_OPTIONS.stream())
                .toList();
    }
}
