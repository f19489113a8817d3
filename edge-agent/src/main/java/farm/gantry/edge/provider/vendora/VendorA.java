package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.edge.mqtt.Trust;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Printers that tell and are told over MQTT of their own, take files over FTPS, and print sliced 3MF only. */
public final class VendorA implements Provider {
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final @Nullable Path folder;
    private final Duration silence;

    public VendorA() {
        this(null, SILENCE);
    }

    VendorA(@Nullable Path folder, Duration silence) {
        this.folder = folder;
        this.silence = silence;
    }

    @Override
    public Provider keeping(Path agent) {
        return new VendorA(agent.resolve(name().name()), silence);
    }

    @Override
    public Printer.Provider name() {
        return Printer.Provider.vendorA;
    }

    @Override
    public Set<Ability> abilities() {
        return EnumSet.complementOf(EnumSet.of(Ability.recall));
    }

    @Override
    public List<Discovery> discoveries() {
        return Lookout.everywhere();
    }

    @Override
    public Connection connect(PrinterConfig config, Listener listener) {
        Address address = Address.of(config);
        return Conversation.begin(address, new Trust(folder, address.serial()), Bindings.of(config), silence, listener);
    }
}
