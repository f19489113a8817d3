package farm.gantry.cost;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.References;
import farm.gantry.Resource;
import farm.gantry.SelfValidating;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Corrects the rates of prints that ended between {@code from} (inclusive) and {@code to} (exclusive). A print stores the rates that were
 * set when it ended; a correction replaces them until it is deleted. With {@code printerId} it applies to the prints of one printer, and
 * {@code costRates.printerHourCents} replaces the printer's own rate; without, it applies to all prints and replaces the store's rate. A
 * null member of {@code costRates}, or a null {@code pricePer1000g}, leaves the stored rate unchanged. {@code pricePer1000g} applies to
 * filament that came from no spool with a price. If several corrections apply to a print, the one created last is used.
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
        @Nullable @PositiveOrZero Double pricePer1000g,
        @NotBlank String reason)
        implements SelfValidating {

    @Override
    public List<Fault> faults() {
        return from.isBefore(to) ? List.of() : List.of(new Fault("from", "range", "from must be before to"));
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
                Objects.requireNonNullElse(pricePer1000g, rates.pricePer1000g()),
                rates.currency(),
                rates.zone());
    }
}
