package farm.gantry.macro;

import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.Permission;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** G-code a printer runs between prints, for the models it suits. */
@Serdeable
@Resource(table = "gcodeMacro", view = Permission.MACRO_VIEW)
@Example("""
        {
          "name": "Push off", "type": "bed_clearing", "gcode": "M190 R35\\nG1 Z40\\nG1 Y220 F6000",
          "compatibilities": [{"vendorName": "Voron", "modelName": "Trident 250"}]
        }""")
public record GcodeMacro(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        Type type,
        String gcode,
        @Nullable String description,
        @Default("[]") @Size(max = 500) List<@Valid Compatibility> compatibilities) {

    /** Whether it is made for the model; a printer that does not say its vendor is known by its model alone. */
    public boolean isFor(@Nullable String vendorName, @Nullable String modelName) {
        return compatibilities.stream()
                .anyMatch(each -> each.modelName().equalsIgnoreCase(modelName)
                        && (vendorName == null || each.vendorName().equalsIgnoreCase(vendorName)));
    }

    /** Whether a line of it is more than a comment. */
    public boolean hasCommands() {
        return gcode.lines().map(String::strip).anyMatch(line -> !line.isEmpty() && !line.startsWith(";"));
    }

    /** When the farm runs it; {@code bed_clearing} follows each job of a continuous printer. */
    @Serdeable
    public enum Type {
        bed_clearing,
        purge,
        maintenance,
        generic
    }

    @Serdeable
    public record Compatibility(
            @NotBlank String vendorName, @NotBlank String modelName) {}
}
