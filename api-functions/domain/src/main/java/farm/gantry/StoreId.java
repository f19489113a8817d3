package farm.gantry;

/**
 * The id of a store (a tenant). It is created only from an authenticated key or a stored row, so holding one proves access to the store.
 */
public record StoreId(String value) {
    @Override
    public String toString() {
        return value;
    }
}
