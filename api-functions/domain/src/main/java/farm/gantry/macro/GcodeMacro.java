package farm.gantry.macro;

import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** G-code that a printer runs between prints, and the printer models that it is for. */
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

    /** Returns whether the macro is for the printer's model. The vendor is compared only if the printer reports one. */
    public boolean isFor(@Nullable String vendorName, @Nullable String modelName) {
        return compatibilities.stream()
                .anyMatch(each -> each.modelName().equalsIgnoreCase(modelName)
                        && (vendorName == null || each.vendorName().equalsIgnoreCase(vendorName)));
    }

    /** Returns whether it contains any line other than comments. */
    public boolean hasCommands() {
        return gcode.lines().map(String::strip).anyMatch(line -> !line.isEmpty() && !line.startsWith(";"));
    }

    /** When the farm runs the macro; {@code bed_clearing} runs after each job of a printer in continuous printing. */
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
