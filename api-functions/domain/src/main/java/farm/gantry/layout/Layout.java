package farm.gantry.layout;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Default;
import farm.gantry.Example;
import farm.gantry.ComputedDefault;
import farm.gantry.Permission;
import farm.gantry.Resource;
import farm.gantry.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A dashboard as one user arranged it; each user has at most one default. */
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

    /** One card and the cells it covers; {@code entityId} is the record it shows. */
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
