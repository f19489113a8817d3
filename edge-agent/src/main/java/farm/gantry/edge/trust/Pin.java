package farm.gantry.edge.trust;

import farm.gantry.edge.file.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** What a printer showed when it was first seen, kept in a file; without a folder, as long as the agent runs. */
public final class Pin {
    private static final ConcurrentMap<String, String> UNKEPT = new ConcurrentHashMap<>();

    private final @Nullable Path folder;
    private final String name;

    public Pin(@Nullable Path folder, String printer, String extension) {
        this.folder = folder;
        this.name = printer.replaceAll("[^A-Za-z0-9_-]", "_") + "." + extension;
    }

    /** Null where the printer was not seen yet. */
    public @Nullable String read() throws IOException {
        if (folder == null) {
            return UNKEPT.get(name);
        }
        Path file = folder.resolve(name);
        return Files.exists(file) ? Files.readString(file).strip() : null;
    }

    public void write(String shown) throws IOException {
        if (folder == null) {
            UNKEPT.put(name, shown);
        } else {
            PrivateFile.folder(folder);
            PrivateFile.write(folder.resolve(name), shown);
        }
    }

    /**
     * Fails where the printer was known by something else; {@code shown} is remembered of one that was not known, and null where the
     * machine does not say which one it is.
     */
    public void check(@Nullable String shown, Object address) throws IOException {
        String known = read();
        if (known == null && shown != null) {
            write(shown);
        } else if (known != null && !known.equals(shown)) {
            throw anotherMachine(address);
        }
    }

    public IOException anotherMachine(Object address) {
        return new IOException("another machine than before is at " + address
                + ": if it has taken this printer's place, " + howToForget());
    }

    /** What a person does to have something else accepted. */
    public String howToForget() {
        return folder == null ? "start the agent anew" : "delete " + folder.resolve(name);
    }
}
