package farm.gantry.edge.printer;

import farm.gantry.edge.file.Cache;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Set;

/** What a print command calls its file: the downloaded one, or one entry of it where a printer takes no archives. */
record Files(Cache cache, boolean archives, boolean skipsObjects) {

    static Files of(Cache cache, Set<Provider.Ability> abilities) {
        return new Files(
                cache, abilities.contains(Provider.Ability.archives), abilities.contains(Provider.Ability.skipObjects));
    }

    Cache.Lease download(Command.Print print) throws IOException, InterruptedException {
        return cache.fetch(URI.create(print.url()), print.size(), print.sha256());
    }

    /** What goes to the printer. */
    Cache.Lease printable(Command.Print print) throws IOException, InterruptedException {
        Cache.Lease whole = download(print);
        if (archives || print.plateEntry() == null) {
            return whole;
        }
        try (whole) {
            return cache.extract(whole, print.plateEntry());
        }
    }

    /** Objects by the numbers that they have in the archive, where the printer takes it whole; others by their names. */
    List<String> objects(Command.Print print, List<String> objects) throws IOException, Refusal, InterruptedException {
        if (!objects.isEmpty() && !skipsObjects) {
            throw Refusal.ofJob("a printer of this make cannot leave out objects: " + String.join(", ", objects));
        }
        if (!archives || objects.stream().allMatch(SlicedObjects::isNumber)) {
            return objects;
        }
        try (Cache.Lease whole = download(print)) {
            return SlicedObjects.of(whole.path(), print.plateEntry()).numbers(objects);
        }
    }
}
