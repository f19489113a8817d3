package farm.gantry.api.wrong;

import farm.gantry.StoreId;

public record StoreOutOfThinAir(String text) {
    StoreId store() {
        return new StoreId(text);
    }
}
