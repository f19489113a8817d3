package farm.gantry.printer;

import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A printer model that the operator added because no slicer has it; {@code vendorModelId} is the model id that its printers report. */
@Serdeable
@Resource(table = "printerModel", view = Permission.PRINTER_VIEW)
public record PrinterModel(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @SystemSet long vendorModelId,
        @NotBlank String vendorName,
        @NotBlank String modelName,
        @Default("[]") List<@NotBlank String> nozzleDiameters,
        @Nullable @Valid BedSize bedSize) {}
