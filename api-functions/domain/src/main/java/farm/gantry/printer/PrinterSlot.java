package farm.gantry.printer;

import farm.gantry.Permission;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filament slot of a printer, and the assigned filament. {@code slot} is its display name, {@code A1} to {@code A4} for the first unit.
 * {@code expectedData} is the filament information that was sent to the printer.
 */
@Serdeable
@Resource(table = "printerSlot", view = Permission.PRINTER_VIEW)
public record PrinterSlot(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,

        @SystemSet @References(value = "printer", inverse = "slots", onDelete = References.OnDelete.CASCADE)
        String printerId,

        @SystemSet int amsIndex,
        @SystemSet int slotIndex,
        @SystemSet String slot,

        @SystemSet @References(value = "material", onDelete = References.OnDelete.SET_NULL) @Nullable
        String materialId,

        @SystemSet
        @References(value = "materialVariant", as = "variant", onDelete = References.OnDelete.SET_NULL)
        @Nullable
        String variantId,

        @SystemSet
        @References(value = "materialInstance", as = "instance", onDelete = References.OnDelete.SET_NULL)
        @Nullable
        String instanceId,

        @SystemSet @Nullable String materialType,
        @SystemSet @Nullable Map<String, Object> expectedData) {

    /** Returns the display name of a slot by its unit and number, both from 0. Units beyond the alphabet are numbered. */
    public static String name(int amsIndex, int slotIndex) {
        return (amsIndex < 26 ? String.valueOf((char) ('A' + amsIndex)) : amsIndex + "-") + (slotIndex + 1);
    }
}
