package farm.gantry.api.link;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;

/** Which printers an agent serves, without reading their records. */
@Singleton
public final class ServedPrinterRows {
    private static final String SERVED = """
             from farm.printer where "storeId" = ? and "proxyClientId" = ? and "commMethod" = 'fuse'
            and "deviceId" is not null and provider is not null""";
    private static final String IDS = "select \"deviceId\", id" + SERVED;
    private static final String IN_ORDER = " order by id";

    /** Device id → printer id of all served printers, in the order of printer ids. */
    public Map<String, String> printerIdsByDevice(Tx tx, String agentId) {
        return tx.map(IDS + IN_ORDER, ServedPrinterRows::id, tx.store().value(), agentId);
    }

    /** Device id → printer id of those of the devices that the agent serves. */
    public Map<String, String> printerIdsByDevice(Tx tx, String agentId, Collection<String> deviceIds) {
        return deviceIds.isEmpty()
                ? Map.of()
                : tx.map(
                        IDS + " and \"deviceId\" = any(?)" + IN_ORDER,
                        ServedPrinterRows::id,
                        tx.store().value(),
                        agentId,
                        deviceIds.toArray(String[]::new));
    }

    private static String id(ResultSet row) throws SQLException {
        return row.getString(2);
    }

    /** Returns a hash of all fields that are part of the agent's configuration. */
    public String fingerprint(Tx tx, String agentId) {
        return String.join("", tx.texts("""
                select coalesce(md5(string_agg(row(id, "deviceId", name, provider, metadata, "providerConfig",
                  "printerAdapterBindingsPatch", "printerCapabilityPatch")::text, '' order by id)), '')""" + SERVED, tx.store().value(), agentId));
    }
}
