package farm.gantry;

/** The tenant. Made only where a key or a row is read, so that holding one proves the right to that store's data. */
public record StoreId(String value) {
    @Override
    public String toString() {
        return value;
    }
}
