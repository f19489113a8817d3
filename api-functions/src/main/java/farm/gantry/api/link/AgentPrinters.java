package farm.gantry.api.link;

import farm.gantry.Sha256;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;

/** Printers that an agent serves, and the configuration last sent to it. */
@Singleton
final class AgentPrinters {
    private final Table<Printer> printers;
    private final Capabilities capabilities;
    private final AgentRows rows;
    private final ServedPrinterRows served;
    private final Pepper pepper;

    AgentPrinters(Tables tables, Capabilities capabilities, AgentRows rows, ServedPrinterRows served, Pepper pepper) {
        this.printers = tables.of(Printer.class);
        this.capabilities = capabilities;
        this.rows = rows;
        this.served = served;
        this.pepper = pepper;
    }

    List<LinkResponse.PrinterConfig> printerConfigs(Tx tx, String agentId) {
        String[] ids = served.printerIdsByDevice(tx, agentId).values().toArray(String[]::new);
        ListQuery query = ListQuery.all(printers.columns())
                .where(Filter.of(printers.columns().get(Printer::id), Operator.in, ids));
        return printers.find(tx, query, Secrets.Visibility.IN_CLEAR).stream()
                .map(this::printerConfig)
                .toList();
    }

    private LinkResponse.PrinterConfig printerConfig(Printer printer) {
        Capabilities.PrinterCapabilities effective = capabilities.find(printer);
        return new LinkResponse.PrinterConfig(
                printer.id(),
                Objects.requireNonNull(printer.deviceId()),
                printer.name(),
                Objects.requireNonNull(printer.provider()),
                printer.metadata(),
                printer.providerConfig(),
                printer.printerAdapterBindingsPatch(),
                effective.capability(),
                effective.bindings());
    }

    /**
     * Returns whether the agent must get its printers' configuration: it changed since this session last got it. The
     * current one is then noted as sent. Reads no records, because agents poll far more often than printers change.
     */
    boolean markSentIfChanged(Tx tx, String agentId, String session) {
        String fingerprint =
                Sha256.of(pepper.oldest() + session + capabilities.version() + served.fingerprint(tx, agentId));
        return rows.markSent(tx.store().value(), agentId, fingerprint) > 0;
    }
}
