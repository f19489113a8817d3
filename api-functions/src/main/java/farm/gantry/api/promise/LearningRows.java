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

    /**
     * The recent prints that were completed, in seconds: {@code whole} from start to end without pauses, {@code printed} that without
     * heating. Where the heating is unknown, the printer's own time counts. {@code rest} is from the printer's report to the end.
     */
    private static final String PRINTS = """
            with times as (
              select a."printerId", j."overriddenProcessProfileId" as profile, j."estimatedSeconds"::float8 as "estimatedSeconds",
                j."heatingSeconds", j."actualSeconds", a."reportedSeconds", a."extrapolatedSeconds",
                coalesce(j."pausedSeconds", 0) as paused,
                extract(epoch from a."endedAt" - a."startedAt")::float8 - coalesce(j."pausedSeconds", 0) as whole,
                case when a."reportedAt" >= a."startedAt" then extract(epoch from a."endedAt" - a."reportedAt")::float8 end as rest
              from farm."printAttempt" a
              join farm."printJob" j on j."storeId" = a."storeId" and j.id = a."printJobId" and j.attempt = a.attempt
              where a."storeId" = ? and a.status = 'Completed' and a."endedAt" > now() - make_interval(secs => ?)),
            prints as (select *, coalesce(whole - "heatingSeconds", "actualSeconds") as printed from times)
            """;

    /** Returns a text that changes when a print ends or a person clears a bed. */
    String version(Tx tx) {
        return tx.one(
                """
                select concat_ws(' ', (select max("endedAt") from farm."printAttempt" where "storeId" = ?),
                  (select max("bedClearedAt") from farm."printAttempt" where "storeId" = ? and "bedClearedAt" is not null))""", rows -> rows.getString(1), tx.store().value(), tx.store().value());
    }

    /**
     * Reads the deviations of recent prints from their estimates. Prints that differ from the median of their printer by more than a
     * factor of e² are ignored.
     */
    EstimateErrors deviations(Tx tx, Duration last) {
        Map<EstimateErrors.Source, EstimateError.Statistics> observed = new HashMap<>();
        tx.query(
                PRINTS + """
                , offs as (
                  select *, ln(printed / "estimatedSeconds") as off from prints where printed > 0 and "estimatedSeconds" > 0),
                medians as (
                  select "printerId", percentile_cont(0.5) within group (order by off) as off from offs group by 1)
                select p.provider, p."modelName", p.id, o.profile, count(*), sum(o.off), sum(o.off * o.off)
                from offs o
                join medians m on m."printerId" = o."printerId"
                join farm.printer p on p."storeId" = ? and p.id = o."printerId"
                where abs(o.off - m.off) <= 2
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
                last.toSeconds(),
                tx.store().value());
        return new EstimateErrors(
                observed, extraTimes(tx, last), remainders(tx, last), macros(tx, last), failureRate(tx, last));
    }

    private static EstimateError.Statistics observed(ResultSet rows, int first) throws SQLException {
        return new EstimateError.Statistics(rows.getLong(first), rows.getDouble(first + 1), rows.getDouble(first + 2));
    }

    /** Returns the extra time by printer model: the time of prints beyond printing and pauses, capped at an hour per print. */
    private static Map<EstimateErrors.Model, EstimateErrors.ObservedTime> extraTimes(Tx tx, Duration last) {
        Map<EstimateErrors.Model, EstimateErrors.ObservedTime> extra = new HashMap<>();
        tx.query(
                PRINTS + """
                select p.provider, p."modelName", count(*), sum(least(3600, greatest(0, r.whole - r.printed)))::float8
                from prints r
                join farm.printer p on p."storeId" = ? and p.id = r."printerId"
                where r.printed > 0
                group by 1, 2""",
                rows -> {
                    while (rows.next()) {
                        extra.put(
                                new EstimateErrors.Model(rows.getString(1), rows.getString(2)),
                                new EstimateErrors.ObservedTime(rows.getLong(3), rows.getDouble(4)));
                    }
                    return extra;
                },
                tx.store().value(),
                last.toSeconds(),
                tx.store().value());
        return extra;
    }

    /**
     * Returns the accuracy of the remaining times reported half-way, by provider. Outliers are ignored as in {@link #deviations}, and so are
     * prints that were paused.
     */
    private static Map<String, RemainingTimeAccuracy.Statistics> remainders(Tx tx, Duration last) {
        return tx.map(
                PRINTS + """
                , offs as (
                  select p.provider, ln(r.rest / r."reportedSeconds") as reported, ln(r.rest / r."extrapolatedSeconds") as extrapolated
                  from prints r
                  join farm.printer p on p."storeId" = ? and p.id = r."printerId" and p.provider is not null
                  where r.rest > 0 and r."reportedSeconds" > 0 and r."extrapolatedSeconds" > 0 and r.paused = 0),
                medians as (
                  select provider, percentile_cont(0.5) within group (order by reported) as reported,
                    percentile_cont(0.5) within group (order by extrapolated) as extrapolated
                  from offs group by 1)
                select o.provider, count(*), sum(o.reported), sum(o.reported * o.reported),
                  count(*), sum(o.extrapolated), sum(o.extrapolated * o.extrapolated)
                from offs o join medians m on m.provider = o.provider
                where abs(o.reported - m.reported) <= 2 and abs(o.extrapolated - m.extrapolated) <= 2
                group by 1""",
                rows -> new RemainingTimeAccuracy.Statistics(observed(rows, 2), observed(rows, 5)),
                tx.store().value(),
                last.toSeconds(),
                tx.store().value());
    }

    /** Returns the time from the end of prints until macros had cleared the beds, by printer. */
    private static Map<String, EstimateErrors.ObservedTime> macros(Tx tx, Duration last) {
        return tx.map(
                """
                select "printerId", count(*), sum(extract(epoch from "macroClearedAt" - "endedAt"))::float8
                from farm."printAttempt"
                where "storeId" = ? and "macroClearedAt" > "endedAt" and "endedAt" > now() - make_interval(secs => ?)
                group by 1""",
                rows -> new EstimateErrors.ObservedTime(rows.getLong(2), rows.getDouble(3)),
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
