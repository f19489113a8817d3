package farm.gantry.api.link;

import farm.gantry.Sha256;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.store.AgentRows;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkAnswer;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The printers that an agent serves, and the configuration last sent to it. */
@Singleton
final class AgentPrinters {
    private final Table<Printer> printers;
    private final Capabilities capabilities;
    private final AgentRows rows;
    private final Pepper pepper;
    private final JsonMapper mapper;

    AgentPrinters(Tables tables, Capabilities capabilities, AgentRows rows, Pepper pepper, JsonMapper mapper) {
        this.printers = tables.of(Printer.class);
        this.capabilities = capabilities;
        this.rows = rows;
        this.pepper = pepper;
        this.mapper = mapper;
    }

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

    /** Whether the agent was not told of these in this session yet; from now on it counts as told. */
    boolean isNews(Tx tx, String agentId, String session, List<LinkAnswer.PrinterConfig> configs) {
        return rows.markTold(tx.store().value(), agentId, fingerprint(session, configs)) > 0;
    }

    /** Keyed, for the printers' codes are in it. */
    private String fingerprint(String session, List<LinkAnswer.PrinterConfig> configs) {
        try {
            return Sha256.of(pepper.oldest() + session + mapper.writeValueAsString(configs));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
