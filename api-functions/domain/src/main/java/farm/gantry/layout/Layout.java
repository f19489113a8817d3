package farm.gantry.layout;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Permission;
import farm.gantry.annotation.ComputedDefault;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The dashboard layout of a user; each user has at most one default. */
@Serdeable
@Resource(table = "layout", view = Permission.LAYOUT_VIEW)
@Example("""
        {
          "name": "Workshop wall", "mode": "grid", "formatVersion": 1,
          "definition": {
            "formatVersion": 1, "mode": "grid",
            "cards": [{"id": "a", "card": "queue", "x": 0, "y": 0, "w": 4, "h": 2}]
          }
        }""")
public record Layout(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        @ComputedDefault @NotBlank @Size(max = 500) String userId,
        Mode mode,
        int formatVersion,
        @Default("false") boolean isDefault,
        @Valid Definition definition) {

    @Serdeable
    public enum Mode {
        grid
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Definition(int formatVersion, Mode mode, List<@Valid Card> cards) {}

    /** A card of the dashboard and the grid cells that it covers; {@code entityId} is the record that it shows. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Card(
            @NotBlank String id,
            @NotBlank String card,
            @Nullable String entityId,
            BigDecimal x,
            BigDecimal y,
            BigDecimal w,
            BigDecimal h) {}
}
