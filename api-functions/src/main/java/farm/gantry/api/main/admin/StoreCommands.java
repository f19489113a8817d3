package farm.gantry.api.main.admin;

import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.database.MovedStores;
import farm.gantry.api.store.StoreRows;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code gantry-admin store}: creates stores, and moves them from one installation to another. */
@Command(name = "store", description = "Manages stores (tenants).")
final class StoreCommands {
    @ParentCommand
    private final AdminCommand admin = new AdminCommand();

    /** Work that reads or writes an archive. */
    private interface ArchiveWork<T> {
        T run(ApplicationContext context) throws IOException, InterruptedException;
    }

    @Command(
            name = "create",
            description = "Creates a store; prints its id and its owner's API key, which cannot be shown again.")
    int create(@Option(names = "--name", required = true, description = "name of the store") String name)
            throws IOException {
        ApiKeys.CreatedKey owner = admin.with(
                context -> context.getBean(StoreRows.class).create(name, context.getBean(ApiKeys.class)::createOwner));
        admin.out().println("store " + owner.storeId());
        admin.out().println("key " + owner.key());
        return 0;
    }

    @Command(
            name = "export",
            description =
                    "Writes a store into an archive, to move it to another installation. From now on, the store is not"
                            + " served here; its agents keep their prints and events. The archive's secrets are encrypted with"
                            + " the key in FILE.key.")
    int export(
            @Option(names = "--store", required = true, description = "id of the store") String store,
            @Option(names = "--to", paramLabel = "FILE", description = "path of the archive to write") @Nullable
                    Path to,
            @Option(names = "--undo", description = "give the move up: serve the store here again") boolean undo,
            @Option(
                            names = "--not-imported",
                            description =
                                    "with --undo: states that no other installation has imported the archive, and that the"
                                            + " archive is deleted; otherwise two installations would start prints")
                    boolean notImported)
            throws IOException {
        if (undo == (to != null)) {
            throw new IllegalArgumentException("either --to or --undo is required");
        }
        if (to != null) {
            StoreExport.Result result =
                    withArchive(context -> new StoreExport(context).write(store, to.toAbsolutePath()));
            admin.out().println("records " + result.records());
            admin.out().println("files " + result.files());
            admin.out().println("key " + TransferKey.fileOf(to));
            return 0;
        }
        if (!notImported) {
            throw new IllegalArgumentException(
                    "delete the archive first, and make sure that no installation has imported it;"
                            + " then repeat this with --not-imported");
        }
        admin.with(context -> {
            context.getBean(MovedStores.class).undo(store);
            return store;
        });
        return 0;
    }

    @Command(
            name = "import",
            description = "Adds the store of an archive to this installation, with all records and files, or changes"
                    + " nothing. Run it again if it was interrupted.")
    int importStore(
            @Option(names = "--from", required = true, paramLabel = "FILE", description = "path of the archive")
                    Path from,
            @Option(names = "--key", description = "file with the archive's key (default: FILE.key)") @Nullable
                    Path key)
            throws IOException {
        TransferKey transfer = TransferKey.read(key == null ? TransferKey.fileOf(from) : key);
        StoreImport.Result result =
                withArchive(context -> new StoreImport(context, from.toAbsolutePath(), transfer).run());
        admin.out().println("store " + result.storeId());
        admin.out().println("records " + result.records());
        admin.out().println("files " + result.files());
        return 0;
    }

    @Command(
            name = "moved",
            description =
                    "After the import, at the installation that the store comes from: tells agents and clients the new"
                            + " address. Agents follow it by themselves. This cannot be undone.")
    int moved(
            @Option(names = "--store", required = true, description = "id of the store") String store,
            @Option(
                            names = "--address",
                            required = true,
                            description = "address of the other installation, such as https://farm.example")
                    URI address)
            throws IOException {
        if (address.getHost() == null
                || address.getRawQuery() != null
                || !("https".equals(address.getScheme()) || "http".equals(address.getScheme()))) {
            throw new IllegalArgumentException("--address must be an address such as https://farm.example");
        }
        admin.with(context -> {
            context.getBean(MovedStores.class)
                    .announce(store, address.toString().replaceFirst("/+$", ""));
            return store;
        });
        return 0;
    }

    private <T> T withArchive(ArchiveWork<T> work) throws IOException {
        if (admin.isForInstallationOfCaller()) {
            throw new IllegalArgumentException(
                    "the archive is a file on this machine: run this command of infra/local/admin"
                            + " with --jdbc-url on a machine that reaches the database and the bucket");
        }
        return admin.with(context -> {
            try {
                return work.run(context);
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        });
    }
}
