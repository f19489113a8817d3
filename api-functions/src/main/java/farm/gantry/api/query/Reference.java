package farm.gantry.api.query;

import farm.gantry.annotation.References;

/**
 * A column with the id of a record of another table, of a {@code type} if that is not empty. That record is embedded as
 * {@code name}; in the other direction the referring records are embedded as {@code inverse}, if that is not empty.
 */
public record Reference(
        Column column, String table, String type, String name, String inverse, References.OnDelete onDelete) {}
