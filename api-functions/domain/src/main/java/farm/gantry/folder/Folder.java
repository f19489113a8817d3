package farm.gantry.folder;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.CreateOnly;
import farm.gantry.annotation.Example;
import farm.gantry.annotation.References;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A folder of parts, or one of SKUs; {@code parentId} is null at the top. */
@Serdeable
@Resource(
        table = "folder",
        view = {Permission.PART_VIEW, Permission.SKU_VIEW})
@Example("""
        {"type": "part", "name": "Spares"}""")
public record Folder(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @CreateOnly Type type,
        @NotBlank String name,

        @References(value = "folder", as = "parent", inverse = "folders") @Nullable @Pattern(regexp = Id.PATTERN)
        String parentId) {

    @Serdeable
    public enum Type {
        part,
        sku;

        /** Returns the permission required for a folder of this type: that for its parts or SKUs. */
        public Permission permission(Permission.Action action) {
            return switch (this) {
                case part -> Permission.PART_VIEW.withAction(action);
                case sku -> Permission.SKU_VIEW.withAction(action);
            };
        }
    }

    public Folder withParent(@Nullable String newParentId) {
        return new Folder(id, storeId, createdAt, updatedAt, type, name, newParentId);
    }
}
