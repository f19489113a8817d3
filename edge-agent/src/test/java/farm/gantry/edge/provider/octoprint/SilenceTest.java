package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.PrinterFixture;
import farm.gantry.edge.printer.connection.PrinterConnection;
import farm.gantry.edge.provider.RecordingListener;
import farm.gantry.edge.provider.SilenceContract;
import farm.gantry.printer.Printer;

class SilenceTest implements SilenceContract {
    private final PrinterFixture fixture = PrinterFixture.of(Printer.Provider.vendorB, PrinterFixture.QUICK);

    @Override
    public PrinterFixture fixture() {
        return fixture;
    }

    @Override
    public PrinterConnection connect(RecordingListener recording) {
        return new OctoPrintProvider(null, TIMEOUT).connect(fixture.printer(), PrinterFixture.HOST, recording);
    }
}
