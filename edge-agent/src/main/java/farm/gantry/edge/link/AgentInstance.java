package farm.gantry.edge.link;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Id;
import farm.gantry.edge.file.PrivateFile;
import farm.gantry.json.Json;
import farm.gantry.version.ProductVersion;
import farm.gantry.wire.LinkRequest;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of this agent process, by which the API distinguishes processes with the same token. The data folder
 * lists the processes that used it. A listed process has ended if it ran on this machine since the last boot, because
 * each process locks the folder. If the folder was copied, it may still run elsewhere.
 */
public final class AgentInstance {
    private static final Logger LOG = LoggerFactory.getLogger(AgentInstance.class);
    private static final String FILE = "instances.json";
    private static final int ID = 16;
    private static final int MAX_COUNT = 20;
    private static final List<Path> MACHINE =
            List.of(Path.of("/proc/sys/kernel/random/boot_id"), Path.of("/proc/sys/kernel/hostname"));

    private final String id = Id.random(ID);
    private final Path file;
    private final String machine;
    private final List<String> former;
    private volatile boolean saved;

    private AgentInstance(Path file, String machine, List<String> former) {
        this.file = file;
        this.machine = machine;
        this.former = former;
    }

    /** The ids of the last agent processes on this machine. The first is the one that the API served last. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record InstanceHistory(String machine, List<String> ids) {}

    /** Requires that the caller has locked the folder. */
    public static AgentInstance register(Path data) throws IOException {
        return register(data, machine());
    }

    /** {@code machine} identifies the machine's boot; empty if unknown. */
    static AgentInstance register(Path data, String machine) throws IOException {
        Path file = data.resolve(FILE);
        InstanceHistory before = Files.exists(file)
                ? Json.read(Files.readString(file), InstanceHistory.class)
                : new InstanceHistory("", List.of());
        List<String> former = machine.isEmpty() || !before.machine().equals(machine) ? List.of() : before.ids();
        AgentInstance instance = new AgentInstance(file, machine, former);
        instance.writeHistory(former);
        return instance;
    }

    private static String machine() {
        try {
            StringBuilder machine = new StringBuilder();
            for (Path part : MACHINE) {
                machine.append(Files.readString(part).strip()).append(' ');
            }
            return machine.toString().strip();
        } catch (IOException e) {
            return "";
        }
    }

    private void writeHistory(List<String> before) throws IOException {
        List<String> ids = new ArrayList<>(before);
        ids.add(id);
        if (ids.size() > MAX_COUNT) {
            ids.remove(1);
        }
        PrivateFile.write(file, Json.write(new InstanceHistory(machine, ids)));
    }

    LinkRequest.Instance asServing() {
        return new LinkRequest.Instance(id, former, false, ProductVersion.CURRENT.text());
    }

    LinkRequest.Instance asEnding() {
        return new LinkRequest.Instance(id, former, true, ProductVersion.CURRENT.text());
    }

    /**
     * Records that the API serves this process. If the file cannot be written now, the write is retried after the API's
     * next response.
     */
    void recordServed() {
        if (!saved) {
            try {
                writeHistory(List.of());
                saved = true;
            } catch (IOException e) {
                LOG.debug("cannot write {}; retrying after the next response of the API: {}", file, e.getMessage());
            }
        }
    }
}
