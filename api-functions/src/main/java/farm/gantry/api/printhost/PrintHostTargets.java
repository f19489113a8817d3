package farm.gantry.api.printhost;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.query.ListQuery;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.Printer;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The targets of print hosts: {@code any}, {@code printer-} and an id or a name, {@code tag-} and a tag, {@code model-}
 * and a model's name. What a slicer takes for a printer is a class of printers.
 */
@Singleton
final class PrintHostTargets {
    private static final String ANY = "any";
    private static final String PRINTER = "printer-";
    private static final String TAG = "tag-";
    private static final String MODEL = "model-";

    private final Table<Printer> printers;

    PrintHostTargets(Tables tables) {
        this.printers = tables.of(Printer.class);
    }

    /**
     * Returns what a printer must be to take the target's jobs; 404 for a target that no printer has, 409 for a name
     * that several have.
     */
    PrintTags find(Tx tx, String target) {
        if (target.equals(ANY)) {
            return tags(null, null, null);
        }
        List<Printer> all = printers.find(tx, ListQuery.all(printers.columns()));
        if (target.startsWith(PRINTER)) {
            String name = target.substring(PRINTER.length());
            return tags(findPrinterId(all, target, name), null, null);
        } else if (target.startsWith(TAG)) {
            String tag = target.substring(TAG.length());
            first(all, target, each -> each.tags().contains(tag));
            return tags(null, null, "=" + tag);
        } else if (target.startsWith(MODEL)) {
            String model = target.substring(MODEL.length());
            Printer printer = first(all, target, each -> model.equalsIgnoreCase(each.modelName()));
            return tags(null, "=" + printer.modelName(), null);
        }
        throw ProblemException.notFound("print host '" + target + "': use any, printer-…, tag-… or model-…");
    }

    /** Throws if several printers have this name, because the file may be for one of them only. */
    private static String findPrinterId(List<Printer> all, String target, String idOrName) {
        if (all.stream().anyMatch(each -> each.id().equals(idOrName))) {
            return idOrName;
        }
        List<String> ids = all.stream()
                .filter(each -> each.name().equals(idOrName))
                .map(Printer::id)
                .toList();
        if (ids.size() > 1) {
            throw new ProblemException(new Problem.Conflict("print host '" + target + "': " + ids.size()
                    + " printers have this name; use the id of one, such as printer-" + ids.getFirst()));
        }
        return first(all, target, each -> ids.contains(each.id())).id();
    }

    private static Printer first(List<Printer> all, String target, Predicate<Printer> isMeant) {
        return all.stream()
                .filter(isMeant)
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("print host '" + target + "': no printer matches it"));
    }

    private static PrintTags tags(@Nullable String printerId, @Nullable String modelName, @Nullable String userTags) {
        return new PrintTags(null, printerId, modelName, null, null, userTags);
    }
}
