package farm.gantry.api.query;

import farm.gantry.References;

/**
 * A column that holds the id of a record of another table. That record is embedded as {@code name}; a list of it embeds
 * those that refer to it as {@code inverse}, if that has a name.
 */
public record Reference(Column column, String table, String name, String inverse, References.Deletion onDelete) {}
