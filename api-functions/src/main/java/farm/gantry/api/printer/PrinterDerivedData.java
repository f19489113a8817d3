package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.profile.CompatibleProfiles;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.printer.Printer;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.List;

/** Read-only facts derived from a printer's settings. */
@Controller("/v1/printers/{id}")
@Blocking
final class PrinterDerivedData {
    private final Table<Printer> printers;
    private final Database database;
    private final Capabilities capabilities;
    private final CompatibleProfiles compatible;

    PrinterDerivedData(Tables tables, Database database, Capabilities capabilities, CompatibleProfiles compatible) {
        this.printers = tables.of(Printer.class);
        this.database = database;
        this.capabilities = capabilities;
        this.compatible = compatible;
    }

    /**
     * Returns the capabilities and bindings of a printer. They are the defaults of its provider with the printer's own
     * patches applied.
     */
    @Get("/capability")
    @RequiresPermission(Permission.PRINTER_VIEW)
    Capabilities.PrinterCapabilities capability(Caller caller, String id) {
        return database.in(caller, tx -> capabilities.find(printer(tx, id)));
    }

    /**
     * Returns the profiles that suit a printer. These are the filament and process profiles compatible with its machine
     * profile, and the store's own profiles that do not declare compatibility.
     */
    @Get("/compatible-profiles")
    @RequiresPermission({Permission.PRINTER_VIEW, Permission.PROFILE_VIEW})
    List<CompatibleProfiles.CompatibleProfile> compatibleProfiles(Caller caller, String id) {
        return database.in(caller, tx -> compatible.findFor(tx, printer(tx, id)));
    }

    private Printer printer(Tx tx, String id) {
        return printers.find(tx, Resources.parseId(id)).orElseThrow(() -> ProblemException.notFound("printer"));
    }
}
