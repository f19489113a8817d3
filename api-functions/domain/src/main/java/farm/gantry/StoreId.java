package farm.gantry;

/** Id of a tenant. Created only when a key or a row is read, so that it proves the right to that store's data. */
public record StoreId(String value) {
    @Override
    public String toString() {
        return value;
    }
}
