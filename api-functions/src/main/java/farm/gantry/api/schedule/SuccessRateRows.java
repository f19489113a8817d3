package farm.gantry.api.schedule;

import farm.gantry.api.database.Tx;
import farm.gantry.job.SuccessRate;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the success rates of finished prints by printer, part, material or profile. */
@Singleton
public final class SuccessRateRows {

    /**
     * The subject by which prints are grouped. A print of several materials counts for each; if the spool is unknown, it counts for the
     * first type in its file.
     */
    public enum Subject {
        ALL("null::text", "null"),
        PRINTER("a.\"printerId\"", "p.name"),
        PART("j.\"partId\"", "j.\"partName\""),
        MATERIAL("coalesce(m.id, m.name)", "m.id", "m.name"),
        PROFILE(
                "coalesce(j.\"overriddenProcessProfileId\", p.\"processUserProfileId\")",
                "(select f.name from farm.profile f where f.\"storeId\" = a.\"storeId\""
                        + " and f.id = coalesce(j.\"overriddenProcessProfileId\", p.\"processUserProfileId\"))");

        private final String key;
        private final String id;
        private final String label;

        Subject(String key, String label) {
            this(key, key, label);
        }

        Subject(String key, String id, String label) {
            this.key = key;
            this.id = id;
            this.label = label;
        }
    }

    /** Returns the rates of all prints that ended between the times, most failures first. */
    public List<SuccessRate> rates(Tx tx, Subject subject, Instant from, Instant to) {
        return rates(tx, subject, "''", List.of(), from, to).getOrDefault("", List.of());
    }

    /** Returns the rate of all prints that ended between the times. */
    public SuccessRate all(Tx tx, Instant from, Instant to) {
        return rates(tx, Subject.ALL, from, to).stream()
                .findFirst()
                .orElse(new SuccessRate(null, null, 0, 0, 0, null, 0, 0));
    }

    /** Returns the rates by printer or by part, of these ids or of all. */
    public Map<String, List<SuccessRate>> rates(
            Tx tx, Subject subject, Subject of, Collection<String> ids, Instant from, Instant to) {
        return rates(tx, subject, of.key, ids, from, to);
    }

    private static Map<String, List<SuccessRate>> rates(
            Tx tx, Subject subject, String of, Collection<String> ids, Instant from, Instant to) {
        String material = subject == Subject.MATERIAL ? """
                left join lateral (
                  with used as (
                    select distinct x.id, coalesce(x.name, i."materialType") as name from farm."filamentUse" u
                    join farm."materialInstance" i on i."storeId" = u."storeId" and i.id = u."instanceId"
                    left join farm.material x on x."storeId" = i."storeId" and x.id = i."materialId"
                    where u."storeId" = a."storeId" and u."printJobId" = a."printJobId" and u.attempt = a.attempt)
                  select id, name from used
                  union all
                  select null, b."fileFilaments" #>> '{0,type}' from farm."partBuild" b
                  where b."storeId" = j."storeId" and b.id = j."partBuildId" and not exists (select from used)) m on true
                """ : "";
        return tx.query(
                """
                select %1$s, max(%5$s), max(%3$s),
                  count(*) filter (where a.status = 'Completed' and not farm.has_failed(a)),
                  count(*) filter (where farm.has_failed(a)),
                  count(*) filter (where a.status = 'Cancelled'),
                  coalesce(sum(a.good), 0), coalesce(sum(a.rejected), 0)
                from farm."printAttempt" a
                join farm."printJob" j on j."storeId" = a."storeId" and j.id = a."printJobId"
                left join farm.printer p on p."storeId" = a."storeId" and p.id = a."printerId"
                %4$s
                where a."storeId" = ? and a."endedAt" >= ?::timestamptz and a."endedAt" < ?::timestamptz
                  and a.status in ('Completed', 'Failed', 'Cancelled')
                  and (? = '' or %1$s = any(string_to_array(?, ',')))
                group by 1, %2$s order by 1, 5 desc, 4, %2$s""".formatted(of, subject.key, subject.label, material, subject.id),
                rows -> {
                    Map<String, List<SuccessRate>> rates = new LinkedHashMap<>();
                    while (rows.next()) {
                        int completed = rows.getInt(4);
                        int failed = rows.getInt(5);
                        rates.computeIfAbsent(rows.getString(1), _ -> new ArrayList<>())
                                .add(new SuccessRate(
                                        rows.getString(2),
                                        rows.getString(3),
                                        completed,
                                        failed,
                                        rows.getInt(6),
                                        SuccessRate.of(completed, failed),
                                        rows.getLong(7),
                                        rows.getLong(8)));
                    }
                    return rates;
                },
                tx.store().value(),
                from.toString(),
                to.toString(),
                String.join(",", ids),
                String.join(",", ids));
    }
}
