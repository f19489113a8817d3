package farm.gantry.api.printer.readiness;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;

/** Statements on running bed-clearing macros. */
@Singleton
public final class BedClearingRows {

    public void start(Tx tx, String printerId, String commandId, Instant until) {
        tx.update("""
                insert into farm."bedClearing" ("storeId", "printerId", "commandId", until) values (?, ?, ?, ?::timestamptz)
                on conflict ("storeId", "printerId") do update set "commandId" = excluded."commandId", until = excluded.until""", tx.store().value(), printerId, commandId, until.toString());
    }

    /** Ends the clearing of the command; false if it had ended before. */
    public boolean end(Tx tx, String printerId, String commandId) {
        return tx.update(
                        "delete from farm.\"bedClearing\" where \"storeId\" = ? and \"printerId\" = ? and \"commandId\" = ?",
                        tx.store().value(),
                        printerId,
                        commandId)
                == 1;
    }

    /** Records at the printer's last print, which is completed, when the macro had cleared the bed. */
    void recordDone(Tx tx, String printerId, Instant now) {
        tx.update(
                """
                update farm."printAttempt" a set "macroClearedAt" = ?::timestamptz
                from (
                  select "printJobId", attempt from farm."printAttempt"
                  where "storeId" = ? and "printerId" = ? order by "endedAt" desc limit 1) last
                where a."storeId" = ? and a."printJobId" = last."printJobId" and a.attempt = last.attempt
                  and a.status = 'Completed'""",
                now.truncatedTo(ChronoUnit.MILLIS).toString(),
                tx.store().value(),
                printerId,
                tx.store().value());
    }

    /** Ends any clearing of the printer, and deletes a macro command that its agent has not fetched yet. */
    public void end(Tx tx, String printerId) {
        endAll(tx, List.of(printerId));
    }

    /** Ends any clearings of the printers. */
    public void endAll(Tx tx, Collection<String> printerIds) {
        tx.update(
                """
                with ended as (delete from farm."bedClearing" where "storeId" = ? and "printerId" = any(?) returning "commandId")
                delete from farm."agentCommand" c using ended where c."storeId" = ? and c.id = ended."commandId\"""",
                tx.store().value(),
                printerIds.toArray(String[]::new),
                tx.store().value());
    }

    /** Returns the printers whose clearing has exceeded its time limit. */
    public List<String> findOverdue(Tx tx, Instant now) {
        return tx.texts(
                "select \"printerId\" from farm.\"bedClearing\" where \"storeId\" = ? and until <= ?::timestamptz"
                        + " order by \"printerId\"",
                tx.store().value(),
                now.toString());
    }
}
