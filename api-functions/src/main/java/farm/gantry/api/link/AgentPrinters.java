package farm.gantry.api.link;

import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkAnswer;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The printers that an agent serves, and the configuration last sent to it. */
@Singleton
final class AgentPrinters {
    private final Table<Printer> printers;
    private final Capabilities capabilities;
    private final Map<String, Told> told = new ConcurrentHashMap<>();

    AgentPrinters(Tables tables, Capabilities capabilities) {
        this.printers = tables.of(Printer.class);
        this.capabilities = capabilities;
    }

    /** The configuration last sent to an agent in a session; kept in memory only. */
    private record Told(String session, List<LinkAnswer.PrinterConfig> printers) {}

    List<Printer> of(Tx tx, String agentId) {
        ListQuery query = ListQuery.all(printers.columns())
                .where(Filter.of(printers.columns().get("proxyClientId"), Operator.eq, agentId))
                .where(Filter.of(printers.columns().get("commMethod"), Operator.eq, "fuse"))
                .where(Filter.of(printers.columns().get("deviceId"), Operator.isNull, "false"))
                .where(Filter.of(printers.columns().get("provider"), Operator.isNull, "false"));
        return printers.find(tx, query, Secrets.Shown.IN_CLEAR);
    }

    List<LinkAnswer.PrinterConfig> configs(List<Printer> served) {
        return served.stream().map(this::config).toList();
    }

    private LinkAnswer.PrinterConfig config(Printer printer) {
        Capabilities.Effective effective = capabilities.of(printer);
        return new LinkAnswer.PrinterConfig(
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

    boolean isChanged(String agentId, String session, List<LinkAnswer.PrinterConfig> configs) {
        return !new Told(session, configs).equals(told.get(agentId));
    }

    void markSent(String agentId, String session, List<LinkAnswer.PrinterConfig> configs) {
        told.put(agentId, new Told(session, configs));
    }
}
