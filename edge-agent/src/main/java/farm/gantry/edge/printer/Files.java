package farm.gantry.edge.printer;

import farm.gantry.edge.file.Cache;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.net.URI;

/** What a print command calls its file: the downloaded one, or one entry of it where a printer takes no archives. */
record Files(Cache cache, boolean archives) {

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
}
