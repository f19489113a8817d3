package farm.gantry.api;

/** JSON already made, of the shape of {@code T}: what a controller returns when no record needs to exist. */
@SuppressWarnings({"UnusedTypeParameter", "ArrayRecordComponent"}) // a buffer with a declared shape, never compared
public record Json<T>(byte[] bytes, int length) {}
