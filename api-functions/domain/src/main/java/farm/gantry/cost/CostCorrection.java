package farm.gantry.cost;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.SelfValidating;
import farm.gantry.annotation.Format;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
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
 * Corrects the rates of prints that ended between {@code from} (inclusive) and {@code to} (exclusive). A print stores the rates that were
 * set when it ended; a correction replaces them until it is deleted. With {@code printerId} it applies to the prints of one printer, and
 * {@code costRates.printerHourCents} replaces the printer's own rate; without, it applies to all prints and replaces the store's rate. A
 * null member of {@code costRates}, a null {@code pricePer1000g} or a null {@code currency} leaves the stored value unchanged.
 * {@code pricePer1000g} applies to filament from the spool {@code instanceId} or, without one, to filament that came from no spool with a
 * price. {@code currency} replaces the currency of the amounts, which are not converted. If several corrections apply to a print, the one
 * created last is used.
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

    /** Returns the rates of a print after this correction, or unchanged if the correction does not apply to it. */
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
