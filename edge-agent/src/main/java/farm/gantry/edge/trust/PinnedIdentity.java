package farm.gantry.edge.trust;

import farm.gantry.edge.file.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The identity that a printer presented at its first connection, for trust on first use. It is stored in a file, or in
 * memory if there is no folder.
 */
public final class PinnedIdentity {
    private static final ConcurrentMap<String, String> IN_MEMORY = new ConcurrentHashMap<>();

    private final @Nullable Path folder;
    private final String name;

    public PinnedIdentity(@Nullable Path folder, String printer, String extension) {
        this.folder = folder;
        this.name = printer.replaceAll("[^A-Za-z0-9_-]", "_") + "." + extension;
    }

    /** Returns the stored identity; null if there is none yet. */
    public @Nullable String read() throws IOException {
        if (folder == null) {
            return IN_MEMORY.get(name);
        }
        Path file = folder.resolve(name);
        return Files.exists(file) ? Files.readString(file).strip() : null;
    }

    public void write(String identity) throws IOException {
        if (folder == null) {
            IN_MEMORY.put(name, identity);
        } else {
            PrivateFile.createFolder(folder);
            PrivateFile.write(folder.resolve(name), identity);
        }
    }

    /**
     * Compares this identity with the stored one and throws if they differ; stores it if there is none yet. {@code
     * identity} is null if the machine does not reveal it.
     */
    public void check(@Nullable String identity, Object address) throws IOException {
        String known = read();
        if (known == null && identity != null) {
            write(identity);
        } else if (known != null && !known.equals(identity)) {
            throw identityChanged(address);
        }
    }

    public IOException identityChanged(Object address) {
        return new IOException("another machine than before answers at " + address
                + ": if it has replaced this printer, " + resetInstruction());
    }

    /** Returns the instruction for a person to accept another identity. */
    public String resetInstruction() {
        return folder == null ? "restart the agent" : "delete " + folder.resolve(name);
    }
}
