package farm.gantry.api.printer.readiness;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState;
import farm.gantry.schedule.BedState;
import farm.gantry.schedule.PrinterCondition;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statements on conditions of printers that are not part of their records: beds, recent refusals of jobs, and
 * availability.
 */
@Singleton
public final class PrinterConditionRows {
    private static final Duration FIRST_HOLD = Duration.ofMinutes(5);
    private static final int MAX_DOUBLINGS = 4;
    private static final Duration MAX_HOLD = Duration.ofHours(1);
    private static final String READS = """
            select p.id, p."isBusy", p."isFit", c."printerId" is not null, p."confirmedReady", p."bedClear",
              p."bedUnverified", p."bedPrintCounter", p."bedClearedAt", p."heldBackReason",
              to_char(p."heldBackUntil" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
              coalesce(p."heldBackUntil" > ?::timestamptz, false), p."isOnline", p."isErrorOpen"
            from farm.printer p
            left join farm."bedClearing" c on c."storeId" = p."storeId" and c."printerId" = p.id
            where p."storeId" = ?""";

    /** Printer id → condition, of all printers of the store. */
    public Map<String, PrinterCondition> findAll(Tx tx, Instant now) {
        return tx.map(
                READS,
                PrinterConditionRows::condition,
                now.toString(),
                tx.store().value());
    }

    /** Printer id → condition. */
    public Map<String, PrinterCondition> find(Tx tx, Collection<String> printerIds, Instant now) {
        return tx.map(
                READS + " and p.id = any(?)",
                PrinterConditionRows::condition,
                now.toString(),
                tx.store().value(),
                printerIds.toArray(String[]::new));
    }

    /**
     * A printer's condition, whether the printer is online, and whether subscribers were told of an error whose end it
     * has not reported.
     */
    public record Availability(PrinterCondition condition, boolean isOnline, boolean isErrorOpen) {}

    /** Printer id → condition, connection and open error. */
    public Map<String, Availability> findAvailabilities(Tx tx, Collection<String> printerIds, Instant now) {
        return tx.map(
                READS + " and p.id = any(?)",
                rows -> new Availability(condition(rows), rows.getBoolean(13), rows.getBoolean(14)),
                now.toString(),
                tx.store().value(),
                printerIds.toArray(String[]::new));
    }

    private static PrinterCondition condition(ResultSet row) throws SQLException {
        return new PrinterCondition(
                row.getBoolean(2),
                row.getBoolean(3),
                row.getBoolean(4),
                bed(row, 5),
                row.getBoolean(12) ? holdReason(row.getString(10), row.getString(11)) : null);
    }

    private static String holdReason(String reason, String until) {
        return "The printer refused its last job (" + reason + "): it gets the next one when its state changes, after "
                + until + ", or when a person confirms that it is ready.";
    }

    private static BedState bed(ResultSet rows, int first) throws SQLException {
        return new BedState(
                rows.getBoolean(first),
                rows.getBoolean(first + 1),
                rows.getBoolean(first + 2),
                rows.getString(first + 3),
                Database.instant(rows, first + 4));
    }

    /** Locks and returns the printer's bed. */
    public BedState lockBed(Tx tx, String printerId) {
        return tx.query(
                """
                select "confirmedReady", "bedClear", "bedUnverified", "bedPrintCounter", "bedClearedAt" from farm.printer
                where "storeId" = ? and id = ? for update""",
                rows -> rows.next() ? bed(rows, 1) : BedState.USED,
                tx.store().value(),
                printerId);
    }

    /**
     * Records at the last prints of the printers that a person cleared their beds, except where a bed was already
     * clear, for example after a macro.
     */
    public void recordClearedBeds(Tx tx, Collection<String> printerIds, Instant now) {
        tx.update(
                """
                update farm."printAttempt" a set "bedClearedAt" = ?::timestamptz
                from farm.printer p
                cross join lateral (
                  select b."printJobId", b.attempt from farm."printAttempt" b
                  where b."storeId" = p."storeId" and b."printerId" = p.id order by b."endedAt" desc limit 1) last
                where p."storeId" = ? and p.id = any(?) and not p."bedClear" and a."storeId" = p."storeId"
                  and a."printJobId" = last."printJobId" and a.attempt = last.attempt and a."bedClearedAt" is null""",
                now.truncatedTo(ChronoUnit.MILLIS).toString(),
                tx.store().value(),
                printerIds.toArray(String[]::new));
    }

    /** Returns the change that stores the bed in the printer. */
    public static Change<Printer> toChange(BedState bed) {
        return new Change<Printer>()
                .set(Printer::confirmedReady, bed.isConfirmed())
                .setColumn("bedClear", bed.isClear())
                .setColumn("bedUnverified", bed.isUnverified())
                .setColumn("bedPrintCounter", bed.printCounter())
                .setColumn("bedClearedAt", bed.clearedAt());
    }

    /**
     * Holds back the printer after it refused a job: for five minutes, doubled with each refusal until a print starts,
     * at most one hour. {@code status} is the printer's current status; the hold ends when it changes.
     */
    public void holdBack(Tx tx, String printerId, String reason, PrinterState.@Nullable Status status, Instant now) {
        int count = tx.query(
                "select \"heldBackCount\" from farm.printer where \"storeId\" = ? and id = ? for update",
                rows -> rows.next() ? rows.getInt(1) : 0,
                tx.store().value(),
                printerId);
        Duration hold = FIRST_HOLD.multipliedBy(1L << Math.min(count, MAX_DOUBLINGS));
        Instant until = now.plus(hold.compareTo(MAX_HOLD) < 0 ? hold : MAX_HOLD).truncatedTo(ChronoUnit.MILLIS);
        tx.update(
                """
                update farm.printer set "heldBackUntil" = ?::timestamptz, "heldBackCount" = ?, "heldBackReason" = ?,
                  "heldBackStatus" = ? where "storeId" = ? and id = ?""",
                until.toString(),
                count + 1,
                reason,
                status == null ? null : status.name(),
                tx.store().value(),
                printerId);
    }

    /** Ends the hold if the status differs from that at its start; returns whether it did. */
    public boolean endHold(Tx tx, String printerId, PrinterState.Status status) {
        return tx.update("""
                        update farm.printer set "heldBackUntil" = null
                        where "storeId" = ? and id = ? and "heldBackUntil" is not null
                          and "heldBackStatus" is distinct from ?""", tx.store().value(), printerId, status.name()) == 1;
    }

    public void clearHold(Tx tx, Collection<String> printerIds) {
        tx.update("""
                update farm.printer set "heldBackUntil" = null, "heldBackCount" = 0
                where "storeId" = ? and id = any(?) and "heldBackCount" > 0""", tx.store().value(), printerIds.toArray(String[]::new));
    }

    /** Records whether subscribers were told of errors whose end the printers have not reported. */
    void setErrorOpen(Tx tx, Collection<String> printerIds, boolean open) {
        tx.update(
                "update farm.printer set \"isErrorOpen\" = ? where \"storeId\" = ? and id = any(?)",
                open,
                tx.store().value(),
                printerIds.toArray(String[]::new));
    }

    /** Returns those of the printers that no job or macro uses, and that get no job until a person confirms their beds. */
    Set<String> findWaitingForPerson(Tx tx, Collection<String> printerIds) {
        return Set.copyOf(tx.texts("""
                select p.id from farm.printer p
                where p."storeId" = ? and p.id = any(?) and p."printingJobId" is null
                  and not (p."confirmedReady" or (p."continuousPrint" and p."bedClear"))
                  and not exists (
                    select from farm."bedClearing" c where c."storeId" = p."storeId" and c."printerId" = p.id)""", tx.store().value(), printerIds.toArray(String[]::new)));
    }

    /** Agent id → sequence of its last applied event. */
    public Map<String, Long> findAckSequences(Tx tx) {
        return tx.map(
                "select id, \"ackSequence\" from farm.agent where \"storeId\" = ?",
                rows -> rows.getLong(2),
                tx.store().value());
    }

    /** Returns those of the printers whose job may be printing. */
    public Set<String> findPrinting(Tx tx, Collection<String> printerIds) {
        return Set.copyOf(tx.texts("""
                select p.id from farm.printer p join farm."printJob" j
                  on j."storeId" = p."storeId" and j.id = p."printingJobId"
                where p."storeId" = ? and p.id = any(?) and j.status not in
                  ('Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer')""", tx.store().value(), printerIds.toArray(String[]::new)));
    }
}
