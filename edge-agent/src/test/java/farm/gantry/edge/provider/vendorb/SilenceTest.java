package farm.gantry.edge.provider.vendorb;

import farm.gantry.edge.Bench;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.provider.Ear;
import farm.gantry.edge.provider.SilenceContract;
import farm.gantry.printer.Printer;

class SilenceTest implements SilenceContract {
    private final Bench bench = Bench.of(Printer.Provider.vendorB, Bench.QUICK);

    @Override
    public Bench bench() {
        return bench;
    }

    @Override
    public Connection connect(Ear ear) {
        return new VendorB(null, PATIENCE).connect(bench.printer(), Bench.HOST, ear);
    }
}
