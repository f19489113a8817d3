package farm.gantry.api.database;

/** Converts stored JSON to what one reader may see. */
@FunctionalInterface
interface SecretView {
    byte[] convert(byte[] json);
}
