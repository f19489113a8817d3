package farm.gantry.edge.provider;

import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.provider.anycubic.AnycubicProvider;
import farm.gantry.edge.provider.bambu.BambuLabProvider;
import farm.gantry.edge.provider.elegoo.ElegooProvider;
import farm.gantry.edge.provider.klipper.KlipperProvider;
import farm.gantry.edge.provider.octoprint.OctoPrintProvider;
import farm.gantry.edge.provider.prusalink.PrusaLinkProvider;
import farm.gantry.edge.provider.sdcp.SdcpProvider;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.util.List;

/** The providers that the agent supports. */
public final class Providers {
    public static final List<Provider> ALL = List.of(
            new KlipperProvider(),
            new SdcpProvider(),
            new BambuLabProvider(),
            new OctoPrintProvider(),
            new PrusaLinkProvider(),
            new ElegooProvider(),
            new AnycubicProvider());

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
