package farm.gantry.api.query;

/** One clause of a sort order. */
public record Sort(Column column, boolean descending) {}
