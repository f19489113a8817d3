package farm.gantry.edge.provider;

import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.provider.anycubic.Anycubic;
import farm.gantry.edge.provider.elegoo.Elegoo;
import farm.gantry.edge.provider.firmwarek.FirmwareK;
import farm.gantry.edge.provider.sdcp.Sdcp;
import farm.gantry.edge.provider.vendora.VendorA;
import farm.gantry.edge.provider.vendorb.VendorB;
import farm.gantry.edge.provider.vendorp.VendorP;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.util.List;

/** Every make the agent can serve, each listed once. */
public final class Providers {
    public static final List<Provider> ALL = List.of(
            new FirmwareK(), new Sdcp(), new VendorA(), new VendorB(), new VendorP(), new Elegoo(), new Anycubic());

    private Providers() {}

    public static Provider of(PrinterConfig config) {
        return of(config.provider());
    }

    public static Provider of(Printer.Provider make) {
        return ALL.stream()
                .filter(provider -> provider.name() == make)
                .findFirst()
                .orElseThrow();
    }
}
