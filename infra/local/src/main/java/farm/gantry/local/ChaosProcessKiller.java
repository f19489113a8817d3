package farm.gantry.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Kills a process of the farm, as a power cut or a lack of memory would; its supervisor restarts it. */
final class ChaosProcessKiller {
    private enum Victim {
        API,
        AGENT,
        WORKER,
        POSTGRES_BACKEND,
        POSTGRES
    }

    private final Farm farm;
    private final Random random;
    private final ChaosReport log;

    ChaosProcessKiller(Farm farm, Random random, ChaosReport log) {
        this.farm = farm;
        this.random = random;
        this.log = log;
    }

    void killOne() throws IOException, InterruptedException {
        Victim victim = Victim.values()[random.nextInt(Victim.values().length)];
        boolean isDone = switch (victim) {
            case API -> {
                farm.restartApi("");
                yield true;
            }
            case AGENT -> {
                farm.restartAgent("");
                yield true;
            }
            case WORKER ->
                kill(farm.apiProcess()
                        .children()
                        .filter(child -> child.info()
                                .command()
                                .filter(name -> name.endsWith("java"))
                                .isPresent()));
            case POSTGRES_BACKEND -> kill(findPostgresBackend().stream().flatMap(ProcessHandle::children));
            case POSTGRES -> kill(findPostgresBackend().stream());
        };
        String name = victim.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        System.out.println((isDone ? "killed " : "found no ") + name);
        log.count((isDone ? "kills of " : "kills of nobody: ") + name);
    }

    private Optional<ProcessHandle> findPostgresBackend() throws IOException {
        Path file = farm.data().resolve("postgres/data/postmaster.pid");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        return lines.isEmpty()
                ? Optional.empty()
                : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
    }

    private boolean kill(Stream<ProcessHandle> processes) {
        List<ProcessHandle> all = processes.toList();
        return !all.isEmpty() && all.get(random.nextInt(all.size())).destroyForcibly();
    }
}
