package farm.gantry.cost;

import farm.gantry.SelfValidating;
import farm.gantry.Format;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Corrects the rates of prints that ended at or after {@code from} and before {@code to}. Prints keep the rates that were set when
 * they ended; a correction replaces them until it is deleted. With {@code printerId} it is for the prints of one printer, and
 * {@code costRates.printerHourCents} replaces the printer's own rate; without, it is for all prints and replaces the store's rate.
 * Members of {@code costRates} that are null, and {@code pricePer1000g} and {@code currency} if null, stay as the prints have them.
 * {@code pricePer1000g} is for filament from the spool {@code instanceId}, or, without one, for filament that came from no spool with a
 * price. {@code currency} replaces the currency of the amounts, which are not converted. Of several corrections of a print, the one
 * created last counts.
 */
@Serdeable
@Resource(table = "costCorrection", view = Permission.SETTINGS_VIEW, change = Permission.SETTINGS_EDIT)
public record CostCorrection(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        Instant from,
        Instant to,

        @References(value = "printer", onDelete = References.OnDelete.KEEP_ID) @Nullable @Pattern(regexp = Id.PATTERN)
        String printerId,

        @Nullable @Valid CostRates costRates,

        @References(value = "materialInstance", as = "instance", onDelete = References.OnDelete.KEEP_ID)
        @Nullable
        @Pattern(regexp = Id.PATTERN)
        String instanceId,

        @Nullable @PositiveOrZero Double pricePer1000g,
        @Nullable @Format(Format.Kind.CURRENCY) String currency,
        @NotBlank String reason)
        implements SelfValidating {

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        if (!from.isBefore(to)) {
            faults.add(new Fault("from", "range", "from must be before to"));
        }
        if (instanceId != null && pricePer1000g == null) {
            faults.add(new Fault("pricePer1000g", "required", "a correction of a spool needs pricePer1000g"));
        }
        return faults;
    }

    /** Returns the rates of a print with this correction, or the same rates where it is not for the print. */
    public PrintRates applyTo(PrintRates rates, String printer, Instant endedAt) {
        boolean isOfPrinter = printer.equals(printerId);
        if (endedAt.isBefore(from) || !endedAt.isBefore(to) || (printerId != null && !isOfPrinter)) {
            return rates;
        }
        CostRates corrected = costRates == null ? CostRates.NOTHING : costRates;
        Double own = isOfPrinter ? corrected.printerHourCents() : null;
        return new PrintRates(
                rates.ofStore().overriddenBy(corrected),
                own != null ? own : rates.hourCents(),
                instanceId == null
                        ? Objects.requireNonNullElse(pricePer1000g, rates.pricePer1000g())
                        : rates.pricePer1000g(),
                Objects.requireNonNullElse(currency, rates.currency()),
                rates.zone());
    }
}
