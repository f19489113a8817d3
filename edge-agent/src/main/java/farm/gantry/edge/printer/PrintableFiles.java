package farm.gantry.edge.printer;

import farm.gantry.edge.file.FileCache;
import farm.gantry.edge.file.FilesOnPrinters;
import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Provides the file of a print command: the downloaded file, or the G-code of one plate for providers that cannot print
 * archives. {@code onPrinters} is null for providers whose files are never removed from the printer.
 */
record PrintableFiles(
        FileCache cache,
        @Nullable FilesOnPrinters onPrinters,
        boolean replays,
        boolean archives,
        boolean skipsObjects) {

    static PrintableFiles of(FileCache cache, FilesOnPrinters onPrinters, Set<Provider.Ability> abilities) {
        return new PrintableFiles(
                cache,
                abilities.contains(Provider.Ability.REMOVE_FILES) ? onPrinters : null,
                abilities.contains(Provider.Ability.REPLAY),
                abilities.contains(Provider.Ability.ARCHIVES),
                abilities.contains(Provider.Ability.SKIP_OBJECTS));
    }

    FileCache.Lease download(Command.Print print) throws IOException, InterruptedException {
        return cache.fetch(URI.create(print.url()), print.size(), print.sha256());
    }

    /** Returns the file to upload. */
    FileCache.Lease fetchPrintable(Command.Print print) throws IOException, InterruptedException {
        FileCache.Lease whole = download(print);
        if (archives || print.plateEntry() == null) {
            return whole;
        }
        try (whole) {
            return cache.extract(whole, print.plateEntry());
        }
    }

    /**
     * Returns the objects to skip: their numbers in the archive for printers that receive the whole archive, otherwise
     * their names.
     */
    List<String> objectsToSkip(Command.Print print, List<String> objects)
            throws IOException, Refusal, InterruptedException {
        if (!objects.isEmpty() && !skipsObjects) {
            throw Refusal.becauseOfJob("this printer cannot skip objects: " + String.join(", ", objects));
        }
        if (!archives || objects.stream().allMatch(SlicedObjects::isNumber)) {
            return objects;
        }
        try (FileCache.Lease whole = download(print)) {
            return SlicedObjects.of(whole.path(), print.plateEntry()).findNumbers(objects);
        }
    }
}
