package farm.gantry.api.promise;

import farm.gantry.api.database.Tx;
import farm.gantry.promise.BedConfirmation;
import farm.gantry.promise.EstimateError;
import farm.gantry.promise.EstimateErrors;
import farm.gantry.promise.RemainingTimeAccuracy;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the data that estimates are learned from: recent prints, and confirmations of clear beds. */
@Singleton
final class LearningRows {
    /** The maximum number of prints to learn from. More would take seconds; only farms of many hundred printers have more. */
    private static final int MAX_CONFIRMATIONS = 50_000;

    /** Returns a text that changes when a print ends or a person clears a bed. */
    String version(Tx tx) {
        return tx.one(
                """
                select concat_ws(' ', (select max("endedAt") from farm."printAttempt" where "storeId" = ?),
                  (select max("bedClearedAt") from farm."printAttempt" where "storeId" = ? and "bedClearedAt" is not null))""", rows -> rows.getString(1), tx.store().value(), tx.store().value());
    }

    /** Reads the deviations of recent prints from their estimates; outliers by more than a factor of e² are ignored. */
    EstimateErrors deviations(Tx tx, Duration last) {
        Map<EstimateErrors.Source, EstimateError.Statistics> observed = new HashMap<>();
        tx.query(
                """
                select p.provider, p."modelName", p.id, j."overriddenProcessProfileId", count(*), sum(l.off), sum(l.off * l.off)
                from farm."printAttempt" a
                join farm."printJob" j on j."storeId" = a."storeId" and j.id = a."printJobId" and j.attempt = a.attempt
                join farm.printer p on p."storeId" = a."storeId" and p.id = a."printerId"
                cross join lateral (select ln(j."actualSeconds"::double precision / j."estimatedSeconds") as off
                  where j."actualSeconds" > 0 and j."estimatedSeconds" > 0) l
                where a."storeId" = ? and a.status = 'Completed' and a."endedAt" > now() - make_interval(secs => ?)
                  and abs(l.off) <= 2
                group by 1, 2, 3, 4""",
                rows -> {
                    while (rows.next()) {
                        observed.put(
                                new EstimateErrors.Source(
                                        rows.getString(1), rows.getString(2), rows.getString(3), rows.getString(4)),
                                observed(rows, 5));
                    }
                    return observed;
                },
                tx.store().value(),
                last.toSeconds());
        return new EstimateErrors(observed, extraTimes(tx, last), remainders(tx, last), failureRate(tx, last));
    }

    private static EstimateError.Statistics observed(ResultSet rows, int first) throws SQLException {
        return new EstimateError.Statistics(rows.getLong(first), rows.getDouble(first + 1), rows.getDouble(first + 2));
    }

    /**
     * Returns the extra time by printer model: the time from start to end of prints beyond what their printers counted, capped at an hour
     * per print.
     */
    private static Map<String, EstimateErrors.ExtraTime> extraTimes(Tx tx, Duration last) {
        return tx.map(
                """
                select p."modelName", count(*),
                  sum(least(3600, greatest(0, extract(epoch from a."endedAt" - a."startedAt") - j."actualSeconds")))::float8
                from farm."printAttempt" a
                join farm."printJob" j on j."storeId" = a."storeId" and j.id = a."printJobId" and j.attempt = a.attempt
                join farm.printer p on p."storeId" = a."storeId" and p.id = a."printerId" and p."modelName" is not null
                where a."storeId" = ? and a.status = 'Completed' and a."endedAt" > now() - make_interval(secs => ?)
                  and j."actualSeconds" > 0
                group by 1""",
                rows -> new EstimateErrors.ExtraTime(rows.getLong(2), rows.getDouble(3)),
                tx.store().value(),
                last.toSeconds());
    }

    /** Returns the accuracy of the remaining times reported half-way, by provider. Outliers are ignored as in {@link #deviations}. */
    private static Map<String, RemainingTimeAccuracy.Statistics> remainders(Tx tx, Duration last) {
        return tx.map(
                """
                select p.provider, count(*), sum(l.reported), sum(l.reported * l.reported),
                  count(*), sum(l.extrapolated), sum(l.extrapolated * l.extrapolated)
                from farm."printAttempt" a
                join farm.printer p on p."storeId" = a."storeId" and p.id = a."printerId" and p.provider is not null
                cross join lateral (
                  select ln(r.rest / a."reportedSeconds") as reported, ln(r.rest / a."extrapolatedSeconds") as extrapolated
                  from (select extract(epoch from a."endedAt" - a."reportedAt")::float8 as rest) r
                  where r.rest > 0 and a."reportedSeconds" > 0 and a."extrapolatedSeconds" > 0) l
                where a."storeId" = ? and a.status = 'Completed' and a."endedAt" > now() - make_interval(secs => ?)
                  and a."reportedAt" >= a."startedAt" and abs(l.reported) <= 2 and abs(l.extrapolated) <= 2
                group by 1""",
                rows -> new RemainingTimeAccuracy.Statistics(observed(rows, 2), observed(rows, 5)),
                tx.store().value(),
                last.toSeconds());
    }

    /** Returns the failure rate, with one failure in forty prints as the prior. */
    private static double failureRate(Tx tx, Duration last) {
        return tx.one("""
                select (count(*) filter (where status = 'Failed') + 1.0) / (count(*) + 40)
                from farm."printAttempt"
                where "storeId" = ? and status in ('Completed', 'Failed') and "endedAt" > now() - make_interval(secs => ?)""", rows -> rows.getDouble(1), tx.store().value(), last.toSeconds());
    }

    /** Returns when people confirmed that the beds of recent prints are clear. */
    List<BedConfirmation> confirmations(Tx tx, Duration last) {
        return tx.list(
                """
                select "endedAt", "bedClearedAt" from farm."printAttempt"
                where "storeId" = ? and "bedClearedAt" > now() - make_interval(secs => ?)
                order by "bedClearedAt" desc limit ?""",
                rows -> new BedConfirmation(
                        rows.getObject(1, OffsetDateTime.class).toInstant(),
                        rows.getObject(2, OffsetDateTime.class).toInstant()),
                tx.store().value(),
                last.toSeconds(),
                MAX_CONFIRMATIONS);
    }
}
