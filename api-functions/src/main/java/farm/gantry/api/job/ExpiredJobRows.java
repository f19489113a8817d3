package farm.gantry.api.job;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Statements on builds whose jobs have all ended, and on what belongs to them. */
@Singleton
final class ExpiredJobRows {
    /** Condition: the build {@code b} has ended, and neither it nor its jobs nor their orders changed since, or are open. */
    private static final String IS_EXPIRED = """
            b.status in ('success', 'error', 'cancelled') and b."updatedAt" < ?::timestamptz and not exists (
              select from farm."printJob" j left join farm."order" o on o."storeId" = j."storeId" and o.id = j."orderId"
              where j."storeId" = b."storeId" and j."partBuildId" = b.id
                and (j.status not in ('Completed', 'Failed', 'Cancelled') or j."updatedAt" >= ?::timestamptz
                     or o.status = 'open' or o."updatedAt" >= ?::timestamptz))""";

    /** A build by its position in the order of their creation. */
    record Build(String createdAt, String id) {
        static final Build BEFORE_ALL = new Build("-infinity", "");
    }

    /** Returns the expired builds after one, oldest first. */
    List<Build> findExpired(Tx tx, Build after, Instant before, int max) {
        String time = before.toString();
        return tx.list(
                """
                select b."createdAt"::text, b.id from farm."partBuild" b
                where b."storeId" = ? and (b."createdAt", b.id) > (?::timestamptz, ?) and b."createdAt" < ?::timestamptz and %s
                order by b."createdAt", b.id limit ?""".formatted(IS_EXPIRED),
                rows -> new Build(rows.getString(1), rows.getString(2)),
                tx.store().value(),
                after.createdAt(),
                after.id(),
                time,
                time,
                time,
                time,
                max);
    }

    /** Returns which of the builds are still expired. */
    List<String> findStillExpired(Tx tx, Collection<String> builds, Instant before) {
        String time = before.toString();
        return tx.texts(
                "select b.id from farm.\"partBuild\" b where b.\"storeId\" = ? and b.id = any(?) and " + IS_EXPIRED,
                tx.store().value(),
                texts(builds),
                time,
                time,
                time);
    }

    /** Locks the orders and then some jobs of the builds, in the order of their ids. */
    void lock(Tx tx, Collection<String> builds, int maxJobs) {
        tx.run("""
                select from farm."order" where "storeId" = ? and id in (
                  select "orderId" from farm."printJob" where "storeId" = ? and "partBuildId" = any(?)) order by id for update""", tx.store().value(), tx.store().value(), texts(builds));
        tx.run("""
                select from farm."printJob" where "storeId" = ? and "partBuildId" = any(?) order by id limit ? for update""", tx.store().value(), texts(builds), maxJobs);
    }

    /** Returns the first jobs of the builds, in the order of their ids. */
    List<String> findJobs(Tx tx, Collection<String> builds, int max) {
        return tx.texts(
                "select id from farm.\"printJob\" where \"storeId\" = ? and \"partBuildId\" = any(?) order by id limit ?",
                tx.store().value(),
                texts(builds),
                max);
    }

    /** Month → JSON of the jobs, with their attempts and the filament that these used. */
    Map<String, List<String>> findJobLines(Tx tx, Collection<String> jobs) {
        return tx.group("""
                select to_char(b."createdAt", 'YYYY-MM'), jsonb_build_object('printJob', to_jsonb(j),
                  'printAttempts', (select jsonb_agg(to_jsonb(a)) from farm."printAttempt" a
                                    where a."storeId" = j."storeId" and a."printJobId" = j.id),
                  'filamentUse', (select jsonb_agg(to_jsonb(u)) from farm."filamentUse" u
                                  where u."storeId" = j."storeId" and u."printJobId" = j.id))::text
                from farm."printJob" j join farm."partBuild" b on b."storeId" = j."storeId" and b.id = j."partBuildId"
                where j."storeId" = ? and j.id = any(?) order by j.id""", rows -> rows.getString(2), tx.store().value(), texts(jobs));
    }

    /** Month → JSON of the builds. */
    Map<String, List<String>> findBuildLines(Tx tx, Collection<String> builds) {
        return tx.group("""
                select to_char(b."createdAt", 'YYYY-MM'), jsonb_build_object('partBuild', to_jsonb(b),
                  'skuBuild', (select to_jsonb(s) from farm."skuBuild" s
                               where s."storeId" = b."storeId" and s.id = b."skuBuildId"))::text
                from farm."partBuild" b where b."storeId" = ? and b.id = any(?) order by b.id""", rows -> rows.getString(2), tx.store().value(), texts(builds));
    }

    /** Deletes the jobs with their attempts and filament, and marks their orders. */
    void deleteJobs(Tx tx, Collection<String> jobs) {
        String store = tx.store().value();
        tx.update("""
                update farm."order" set "printsDeletedAt" = now() where "storeId" = ? and "printsDeletedAt" is null and id in (
                  select "orderId" from farm."printJob" where "storeId" = ? and id = any(?))""", store, store, texts(jobs));
        tx.update(
                "delete from farm.\"printAttempt\" where \"storeId\" = ? and \"printJobId\" = any(?)",
                store,
                texts(jobs));
        tx.update(
                "delete from farm.\"filamentUse\" where \"storeId\" = ? and \"printJobId\" = any(?)",
                store,
                texts(jobs));
        tx.update("delete from farm.\"sliceAsked\" where \"storeId\" = ? and \"jobId\" = any(?)", store, texts(jobs));
        tx.update("delete from farm.\"printJob\" where \"storeId\" = ? and id = any(?)", store, texts(jobs));
    }

    /** Returns which of the builds have no jobs. */
    List<String> findEmpty(Tx tx, Collection<String> builds) {
        return tx.texts("""
                select b.id from farm."partBuild" b where b."storeId" = ? and b.id = any(?)
                and not exists (select from farm."printJob" j where j."storeId" = b."storeId" and j."partBuildId" = b.id)""", tx.store().value(), texts(builds));
    }

    /** Deletes the builds, and those of SKUs of which no build is left. */
    void deleteBuilds(Tx tx, Collection<String> builds) {
        String store = tx.store().value();
        List<String> ofSkus = tx.texts("""
                select distinct "skuBuildId" from farm."partBuild" where "storeId" = ? and id = any(?) and "skuBuildId" is not null""", store, texts(builds));
        tx.update("delete from farm.\"partBuild\" where \"storeId\" = ? and id = any(?)", store, texts(builds));
        tx.update("""
                delete from farm."skuBuild" s where s."storeId" = ? and s.id = any(?)
                and not exists (select from farm."partBuild" b where b."storeId" = s."storeId" and b."skuBuildId" = s.id)""", store, texts(ofSkus));
    }

    private static String[] texts(Collection<String> ids) {
        return ids.toArray(String[]::new);
    }
}
