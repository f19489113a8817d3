package farm.gantry.api.builds;

import farm.gantry.printer.Printer;
import java.time.ZonedDateTime;

/** The median estimate of when a print is finished, in the store's time zone, and the printer that likely prints it. */
public record LikelyFinish(ZonedDateTime at, Printer printer) {}
