package farm.gantry.edge.provider;

import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.provider.anycubic.Anycubic;
import farm.gantry.edge.provider.bambu.BambuLab;
import farm.gantry.edge.provider.elegoo.Elegoo;
import farm.gantry.edge.provider.klipper.Klipper;
import farm.gantry.edge.provider.octoprint.OctoPrint;
import farm.gantry.edge.provider.prusalink.PrusaLink;
import farm.gantry.edge.provider.sdcp.Sdcp;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.util.List;

/** The providers that the agent supports. */
public final class Providers {
    public static final List<Provider> ALL = List.of(
            new Klipper(), new Sdcp(), new BambuLab(), new OctoPrint(), new PrusaLink(), new Elegoo(), new Anycubic());

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
