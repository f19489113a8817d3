package farm.gantry.edge.provider.vendorb;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.discovery.Mdns;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.net.http.HttpClient;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Printers that are asked for their state over OctoPrint's HTTP, which by itself knows no light, layer or object. */
public final class VendorB implements Provider {
    private final HttpClient http = PrinterHttp.client();

    @Override
    public Printer.Provider name() {
        return Printer.Provider.vendorB;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.of(
                Ability.print,
                Ability.pause,
                Ability.resume,
                Ability.cancel,
                Ability.gcode,
                Ability.setTemperature,
                Ability.setFan,
                Ability.recall,
                Ability.camera);
    }

    @Override
    public List<Discovery> discoveries() {
        return List.of(Mdns.of(name(), "_octoprint._tcp"));
    }

    @Override
    public Connection connect(PrinterConfig config, Listener listener) {
        return Conversation.begin(new OctoPrint(http, Address.of(config)), listener);
    }
}
