package farm.gantry.api.main.admin;

import farm.gantry.Id;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.main.process.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** {@code gantry-admin pepper}: replaces the pepper, in the data folder or for those who configure the processes. */
@Command(
        name = "pepper",
        description = "Manages the pepper, the part of all API key hashes that is stored outside the database.")
final class PepperCommands {
    @ParentCommand
    private final AdminCommand admin = new AdminCommand();

    @Command(
            name = "rotate",
            description =
                    "Adds a new version. After a restart of the API, new keys are hashed with it, and existing keys"
                            + " when they are next used. With --jdbc-url, prints the new values of GANTRY_PEPPER.")
    int rotate() throws IOException {
        Optional<String> configured = admin.configuredPepper();
        if (configured.isPresent()) {
            Pepper.Rotation rotation = new Pepper(configured.get()).rotate(Id.random(32));
            admin.out().println("first, for every process: GANTRY_PEPPER='" + rotation.announced() + "'");
            admin.out().println("then, for every process: GANTRY_PEPPER='" + rotation.active() + "'");
            return 0;
        }
        Path file = admin.data.toAbsolutePath().resolve("pepper");
        if (!Files.exists(file)) {
            throw new IOException("there is no farm in " + file.getParent());
        }
        SecretFile.write(
                file,
                new Pepper(Files.readString(file).strip()).rotate(Id.random(32)).active());
        admin.out().println("the pepper has a new version; restart the API to use it");
        return 0;
    }
}
