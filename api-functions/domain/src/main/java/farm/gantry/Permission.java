package farm.gantry;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A permission of a key. The wire name of {@code PART_VIEW} is {@code part.view}. */
public enum Permission {
    PART_VIEW,
    PART_CREATE,
    PART_EDIT,
    PART_DELETE,
    SKU_VIEW,
    SKU_CREATE,
    SKU_EDIT,
    SKU_DELETE,
    PRINTER_VIEW,
    PRINTER_CREATE,
    PRINTER_EDIT,
    PRINTER_DELETE,
    PRINTER_CONTROL,
    PRINTER_READY,
    PRINTER_CONFIG,
    PROFILE_VIEW,
    PROFILE_CREATE,
    PROFILE_EDIT,
    PROFILE_DELETE,
    MATERIAL_VIEW,
    MATERIAL_CREATE,
    MATERIAL_EDIT,
    MATERIAL_DELETE,
    MATERIAL_INSTANCE_VIEW,
    MATERIAL_INSTANCE_CREATE,
    MATERIAL_INSTANCE_EDIT,
    MATERIAL_INSTANCE_DELETE,
    MACRO_VIEW,
    MACRO_CREATE,
    MACRO_EDIT,
    MACRO_DELETE,
    LAYOUT_VIEW,
    LAYOUT_CREATE,
    LAYOUT_EDIT,
    LAYOUT_DELETE,
    QUEUE_VIEW,
    QUEUE_MANAGE,
    QUEUE_OVERRIDE,
    JOB_CREATE,
    JOB_EDIT,
    JOB_DELETE,
    ORDER_VIEW,
    ORDER_CREATE,
    ORDER_EDIT,
    ORDER_DELETE,
    ORDER_PRINT,
    INTEGRATION_VIEW,
    INTEGRATION_MANAGE,
    SETTINGS_VIEW,
    SETTINGS_EDIT,
    API_KEY_VIEW,
    API_KEY_CREATE,
    API_KEY_EDIT,
    API_KEY_DELETE,
    AGENT_VIEW,
    AGENT_MANAGE,
    FILE_DOWNLOAD,
    MAINTENANCE_VIEW,
    MAINTENANCE_EDIT,
    AUDIT_VIEW,
    WALL_VIEW;

    /** An action on a record. */
    public enum Action {
        VIEW,
        CREATE,
        EDIT,
        DELETE
    }

    private static final Map<String, Permission> BY_WIRE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Permission::wireName, Function.identity()));

    public static Optional<Permission> parse(String wire) {
        return Optional.ofNullable(BY_WIRE.get(wire));
    }

    /** The permission of the same family for the action: of {@code SKU_VIEW} and {@code EDIT} it is {@code SKU_EDIT}. */
    public Permission withAction(Action action) {
        return valueOf(name().substring(0, name().lastIndexOf('_') + 1) + action);
    }

    public String wireName() {
        return this.name().startsWith("API_KEY_")
                ? "apiKey." + name().substring("API_KEY_".length()).toLowerCase(Locale.ROOT)
                : name().toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
