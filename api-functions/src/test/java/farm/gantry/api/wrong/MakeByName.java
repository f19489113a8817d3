package farm.gantry.api.wrong;

import farm.gantry.printer.Printer;

public final class MakeByName {
    private MakeByName() {}

    public static boolean isKnown(Printer.Provider provider) {
        return provider == Printer.Provider.vendorA;
    }
}
