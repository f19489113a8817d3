package farm.gantry.edge.provider;

import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider;
import farm.gantry.edge.printer.Reading;
import farm.gantry.edge.printer.Refusal;
import farm.gantry.printer.Printer;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A make that no adapter speaks yet: its printers stay offline, and say so. */
record Unserved(Printer.Provider name) implements Provider {

    @Override
    public Set<Ability> abilities() {
        return Set.of();
    }

    @Override
    public Connection connect(PrinterConfig config, Listener listener) {
        String reason = "this agent has no adapter for " + name + " printers yet";
        listener.lost(reason);
        return new Silence(reason);
    }

    private record Silence(String reason) implements Connection {

        @Override
        public void upload(Path file, String sha256, String fileName) throws Refusal {
            throw new Refusal(reason);
        }

        @Override
        public void start(String fileName) throws Refusal {
            throw new Refusal(reason);
        }

        @Override
        public void pause() throws Refusal {
            throw new Refusal(reason);
        }

        @Override
        public void resume() throws Refusal {
            throw new Refusal(reason);
        }

        @Override
        public void cancel() throws Refusal {
            throw new Refusal(reason);
        }

        @Override
        public void order(Command.Send command) throws Refusal {
            throw new Refusal(reason);
        }

        @Override
        public Optional<Reading.Ending> recall(String fileName) {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
