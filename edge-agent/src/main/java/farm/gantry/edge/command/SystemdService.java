package farm.gantry.edge.command;

import java.nio.file.Files;
import java.nio.file.Path;

/** The systemd service that the agent's package installs. */
record SystemdService(Path unit, Path data) {
    static final SystemdService INSTALLED = new SystemdService(
            Path.of("/usr/lib/systemd/system/gantry-agent.service"), Path.of("/var/lib/gantry-agent"));

    /** Returns the command that starts the agent on this data folder. */
    String startCommand(Path folder) {
        return Files.exists(unit) && folder.toAbsolutePath().normalize().equals(data)
                ? "sudo systemctl start gantry-agent"
                : "gantry-agent run --data " + folder;
    }
}
