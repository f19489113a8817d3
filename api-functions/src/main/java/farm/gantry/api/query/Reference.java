package farm.gantry.api.query;

import farm.gantry.References;

/**
 * A column with the id of a record of another table. That record is embedded as {@code name}; in the other direction the
 * referring records are embedded as {@code inverse}, if that is not empty.
 */
public record Reference(Column column, String table, String name, String inverse, References.Deletion onDelete) {}
