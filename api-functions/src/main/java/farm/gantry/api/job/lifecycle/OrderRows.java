package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.AdvisoryLock;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.JobRows;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Statements on orders, their items and the items' jobs. */
@Singleton
public final class OrderRows {
    /** Condition: the job makes, or made, a piece. */
    private static final String MAKES_PIECE = "j.status not in ('Failed', 'Cancelled') and coalesce(j.rejected, 0) = 0";

    /** Condition: the job makes the piece {@code p}: its plate, or its linked part if that has no plates. */
    private static final String OF_PIECE = """
            j."linkedPartId" = p."linkedPartId"
            and (p."plateId" is null or (j.extensions #>> '{3mf,plateId}')::integer = p."plateId")""";

    /** Condition: the item {@code i} is queued in its current version and all its pieces are printed. */
    private static final String IS_DONE = """
            (i."processedStatus" = 'processed' and json_array_length(coalesce(i.pieces, '[]')) > 0 and not exists (
              select from json_to_recordset(i.pieces) p("linkedPartId" text, "plateId" integer, copies integer)
              where (select count(*) from farm."printJob" j where j."storeId" = i."storeId" and j."orderItemId" = i.id
                     and j.status = 'Completed' and %s and %s) < i.quantity * p.copies))""".formatted(MAKES_PIECE, OF_PIECE);

    /** Condition: the order {@code o} closes when complete, by the setting of its integration or else of the store. */
    private static final String CLOSES_AUTOMATICALLY = """
            (select coalesce((n.settings ->> 'autoCloseOrders')::boolean, s."autoCloseOrders")
              from farm.store s
              left join farm.integration n on n."storeId" = o."storeId" and n.id = o."integrationId"
              where s."storeId" = o."storeId")""";

    /** The last delivered version of an integration's order. */
    public record DeliveredOrder(
            String orderId,
            @Nullable String customerId,
            @Nullable String hash,
            @Nullable Instant externalUpdatedAt) {}

    /** A job that makes or made a piece of an item; {@code outdated} if the item changed since. */
    public record ItemJob(
            String id,
            String orderItemId,
            @Nullable String linkedPartId,
            @Nullable Integer plateId,
            JobStatus status,
            boolean outdated) {}

    /** Locks the orders until the transaction ends. Call it before locking their items and jobs. */
    public void lock(Tx tx, Collection<String> orderIds) {
        tx.texts(
                "select id from farm.\"order\" where \"storeId\"=? and id=any(?) order by id for update",
                tx.store().value(),
                texts(orderIds));
    }

    /** Returns the orders whose ended prints were deleted after their retention. */
    List<String> findWithDeletedPrints(Tx tx, Collection<String> orderIds) {
        return tx.texts(
                "select id from farm.\"order\" where \"storeId\"=? and id=any(?) and \"printsDeletedAt\" is not null order by id",
                tx.store().value(),
                texts(orderIds));
    }

    public Set<String> findOrdersOfItems(Tx tx, Collection<String> itemIds) {
        return Set.copyOf(tx.texts(
                "select distinct \"orderId\" from farm.\"orderItem\" where \"storeId\"=? and id=any(?)",
                tx.store().value(),
                texts(itemIds)));
    }

    /** Serialises deliveries of the order with that external id. */
    public void lockDelivery(Tx tx, @Nullable String integrationId, String externalId) {
        tx.lockExclusive(AdvisoryLock.ORDER, integrationId + " " + externalId);
    }

    /** Returns the order with that external id. */
    public Optional<DeliveredOrder> findDelivered(Tx tx, @Nullable String integrationId, String externalId) {
        return tx.first(
                "select id, \"customerId\", \"deliveryHash\", \"externalUpdatedAt\" from farm.\"order\" where \"storeId\"=? and \"externalId\"=?"
                        + " and coalesce(\"integrationId\", '')=? order by id limit 1",
                rows -> new DeliveredOrder(
                        rows.getString(1), rows.getString(2), rows.getString(3), Database.instant(rows, 4)),
                tx.store().value(),
                externalId,
                integrationId == null ? "" : integrationId);
    }

    public Optional<String> findCustomer(Tx tx, String orderId) {
        return tx.first(
                "select \"customerId\" from farm.\"order\" where \"storeId\"=? and id=?",
                rows -> rows.getString(1),
                tx.store().value(),
                orderId);
    }

    public void setDeliveryHash(Tx tx, String orderId, String hash) {
        tx.update(
                "update farm.\"order\" set \"deliveryHash\"=? where \"storeId\"=? and id=?",
                hash,
                tx.store().value(),
                orderId);
    }

    /**
     * Returns a customer by the integration's id or by email address, and serialises requests for the same customer.
     */
    public Optional<String> lockCustomer(
            Tx tx, @Nullable String integrationId, @Nullable String externalId, @Nullable String email) {
        List<String> values = customerKey(integrationId, externalId, email);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        lockCustomer(tx, values);
        String sql = values.size() == 1 ? "email=?" : "\"integrationId\"=? and \"externalId\"=?";
        Object[] all = new Object[values.size() + 1];
        all[0] = tx.store().value();
        System.arraycopy(values.toArray(), 0, all, 1, values.size());
        return tx.first(
                "select id from farm.customer where \"storeId\"=? and " + sql + " order by id limit 1",
                rows -> rows.getString(1),
                all);
    }

    /** Returns what identifies a customer: the integration's id, or else the email address; empty if there is neither. */
    public static List<String> customerKey(
            @Nullable String integrationId, @Nullable String externalId, @Nullable String email) {
        if (integrationId != null && externalId != null) {
            return List.of(integrationId, externalId);
        }
        return email == null || email.isBlank() ? List.of() : List.of(email);
    }

    /** Serialises requests for the customer with this key. */
    public void lockCustomer(Tx tx, List<String> key) {
        tx.lockExclusive(AdvisoryLock.CUSTOMER, String.join(" ", key));
    }

    /** Returns the open orders that printing may change, or those of them with items of the SKUs. */
    public List<String> findOpenAndLacking(Tx tx, @Nullable Collection<String> skuIds) {
        return tx.texts(
                """
                select o.id from farm."order" o where o."storeId" = ? and o.status = 'open'
                and (? or exists (select from farm."orderItem" i where i."storeId" = o."storeId" and i."orderId" = o.id
                  and i."skuId" = any(?)))
                and (%s or exists (select from farm."orderItem" i where i."storeId" = o."storeId" and i."orderId" = o.id
                  and not %s)) order by o.id""".formatted(CLOSES_AUTOMATICALLY, IS_DONE),
                tx.store().value(),
                skuIds == null,
                texts(skuIds == null ? List.of() : skuIds));
    }

    /** Returns the items that are queued in their current version and completely printed. */
    public Set<String> findDone(Tx tx, Collection<String> itemIds) {
        return Set.copyOf(tx.texts(
                "select i.id from farm.\"orderItem\" i where i.\"storeId\"=? and i.id=any(?) and " + IS_DONE,
                tx.store().value(),
                texts(itemIds)));
    }

    /** Returns jobs that make or made pieces of the items, newest first. */
    public List<ItemJob> findJobs(Tx tx, Collection<String> itemIds) {
        return tx.list(
                """
                select j.id, j."orderItemId", j."linkedPartId", j.extensions #>> '{3mf,plateId}', j.status,
                       coalesce(s."isOutdated", false)
                from farm."printJob" j
                join farm."partBuild" b on b."storeId" = j."storeId" and b.id = j."partBuildId"
                left join farm."skuBuild" s on s."storeId" = b."storeId" and s.id = b."skuBuildId"
                where j."storeId" = ? and j."orderItemId" = any(?) and %s
                order by j."queueOrder" desc, j.id desc""".formatted(MAKES_PIECE),
                rows -> new ItemJob(
                        rows.getString(1),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4) == null ? null : Integer.valueOf(rows.getString(4)),
                        JobRows.status(rows.getString(5)),
                        rows.getBoolean(6)),
                tx.store().value(),
                texts(itemIds));
    }

    /** Returns the orders' jobs that are not at a printer yet. */
    public List<String> findNotStarted(Tx tx, String column, Collection<String> ids) {
        return tx.texts(
                "select id from farm.\"printJob\" where \"storeId\"=? and \"" + column + "\"=any(?)"
                        + " and status=any(?) order by id",
                tx.store().value(),
                texts(ids),
                Arrays.stream(JobStatus.values())
                        .filter(status -> !status.isFinished() && !status.isAtPrinter())
                        .map(JobStatus::wireName)
                        .toArray(String[]::new));
    }

    /** Marks everything queued for the orders or items, selected by the column, as outdated. */
    public void markOutdated(Tx tx, String column, Collection<String> ids) {
        tx.update(
                "update farm.\"skuBuild\" set \"isOutdated\"=true where \"storeId\"=? and \"" + column + "\"=any(?)",
                tx.store().value(),
                texts(ids));
    }

    /**
     * Returns whether the job's order is cancelled, or its item was deleted, or was queued again after it changed. False for
     * jobs that never belonged to an item.
     */
    public boolean isWithdrawn(Tx tx, PrintJob job) {
        return queryBoolean(
                tx,
                """
                select exists (select from farm."order" o where o."storeId" = w.store and o.id = w."orderId"
                    and o."cancelledAt" is not null)
                  or (item.id is null or item."processedStatus" = 'processed')
                    and exists (select from farm."partBuild" b
                      join farm."skuBuild" s on s."storeId" = b."storeId" and s.id = b."skuBuildId" and s."isOutdated"
                      where b."storeId" = w.store and b.id = w.build)
                  or item."processedStatus" = 'processed' and not exists (
                    select from json_to_recordset(item.pieces) p("linkedPartId" text, "plateId" integer, copies integer)
                    where exists (select from farm."printJob" j where j."storeId" = w.store and j.id = w.job and %1$s)
                    and (select count(*) from farm."printJob" j where j."storeId" = w.store and j."orderItemId" = item.id
                         and %2$s and %1$s) <= item.quantity * p.copies)
                from (select ? as store, ? as "orderId", ? as item, ? as job, ? as build) w
                left join farm."orderItem" item on item."storeId" = w.store and item.id = w.item""".formatted(OF_PIECE, MAKES_PIECE),
                String.valueOf(job.orderId()),
                String.valueOf(job.orderItemId()),
                job.id(),
                job.partBuildId());
    }

    /**
     * Returns the open orders that close automatically and of which every item to print is queued in its current
     * version and completely printed.
     */
    public List<String> findClosable(Tx tx, Collection<String> orderIds) {
        return tx.texts("""
                select o.id from farm."order" o
                where o."storeId" = ? and o.id = any(?) and o.status = 'open' and %s
                and (select count(*) > 0 and bool_and(%s) from farm."orderItem" i
                  where i."storeId" = o."storeId" and i."orderId" = o.id and not i.ignored)
                order by o.id""".formatted(CLOSES_AUTOMATICALLY, IS_DONE), tx.store().value(), texts(orderIds));
    }

    /**
     * Returns the jobs of items whose piece an open order lacks, assuming that all jobs before them are printed. Jobs
     * without an existing item are always lacking.
     */
    public Set<String> findLacking(Tx tx, List<PrintJob> jobs) {
        String[] items = texts(jobs, PrintJob::orderItemId);
        return jobs.isEmpty()
                ? Set.of()
                : Set.copyOf(tx.texts(
                        """
                        with asked as (
                          select ?::text as store, w.*
                          from unnest(?::text[], ?::text[], ?::text[]) with ordinality w(item, job, build, place)),
                        piece as materialized (
                          select i.id as item, p."linkedPartId", p."plateId",
                            i.quantity * p.copies - (select count(*) from farm."printJob" j
                              where j."storeId" = i."storeId" and j."orderItemId" = i.id and %2$s and %1$s) as lacking
                          from farm."orderItem" i
                          join farm."order" o on o."storeId" = i."storeId" and o.id = i."orderId"
                          cross join json_to_recordset(i.pieces) p("linkedPartId" text, "plateId" integer, copies integer)
                          where i."storeId" = ? and i.id = any(?) and o.status = 'open' and not i.ignored)
                        select a.job from asked a
                        where not exists (select from farm."orderItem" i where i."storeId" = a.store and i.id = a.item)
                        union all
                        select would.job
                        from (
                          select a.job, p.lacking,
                            row_number() over (partition by p.item, p."linkedPartId", p."plateId" order by a.place) as nth
                          from asked a
                          join piece p on p.item = a.item
                          join farm."printJob" j on j."storeId" = a.store and j.id = a.job and %1$s
                          where not exists (select from farm."partBuild" b
                            join farm."skuBuild" k on k."storeId" = b."storeId" and k.id = b."skuBuildId" and k."isOutdated"
                            where b."storeId" = a.store and b.id = a.build)) would
                        where would.nth <= would.lacking""".formatted(OF_PIECE, MAKES_PIECE),
                        tx.store().value(),
                        items,
                        texts(jobs, PrintJob::id),
                        texts(jobs, PrintJob::partBuildId),
                        tx.store().value(),
                        items));
    }

    /**
     * Returns the jobs whose piece another job makes: a job that is not cancelled replaces the current attempt, or this
     * job replaces one that was retried since or is good after all. Locks those other jobs until the transaction ends.
     */
    public Set<String> findReplaced(Tx tx, List<PrintJob> jobs) {
        if (jobs.isEmpty()) {
            return Set.of();
        }
        String[] ids = texts(jobs, PrintJob::id);
        tx.texts(
                "select id from farm.\"printJob\" where \"storeId\" = ? and (\"replacesJobId\" = any(?) or id = any(?)) order by id"
                        + " for update",
                tx.store().value(),
                ids,
                texts(jobs, PrintJob::replacesJobId));
        return Set.copyOf(tx.texts("""
                select w.job from (select ?::text as store) s cross join unnest(?::text[], ?::text[]::integer[]) w(job, attempt)
                where exists (select from farm."printJob" r where r."storeId" = s.store and r."replacesJobId" = w.job
                    and r."replacesAttempt" = w.attempt and r.status <> 'Cancelled')
                  or exists (
                    select from farm."printJob" own
                    join farm."printJob" lost on lost."storeId" = own."storeId" and lost.id = own."replacesJobId"
                    where own."storeId" = s.store and own.id = w.job and (lost.attempt <> own."replacesAttempt"
                      or not (lost.status = 'Failed' or lost.status = 'Completed' and coalesce(lost.rejected, 0) > 0)))""", tx.store().value(), ids, texts(jobs, job -> String.valueOf(job.attempt()))));
    }

    private static @Nullable String[] texts(List<PrintJob> jobs, Function<PrintJob, @Nullable String> member) {
        return jobs.stream().map(member).toArray(String[]::new);
    }

    private static boolean queryBoolean(Tx tx, String sql, String... values) {
        Object[] all = new Object[values.length + 1];
        all[0] = tx.store().value();
        System.arraycopy(values, 0, all, 1, values.length);
        return tx.query(sql, rows -> rows.next() && rows.getBoolean(1), all);
    }

    /** Returns the item texts that are not printed. */
    public List<String> listIgnoredSkus(Tx tx) {
        return tx.texts(
                "select sku from farm.\"ignoredSku\" where \"storeId\"=? order by sku",
                tx.store().value());
    }

    /** Returns those of the texts that are not printed. */
    public Set<String> findIgnored(Tx tx, Collection<String> skus) {
        return skus.isEmpty()
                ? Set.of()
                : Set.copyOf(tx.texts(
                        "select sku from farm.\"ignoredSku\" where \"storeId\"=? and sku=any(?)",
                        tx.store().value(),
                        texts(skus)));
    }

    public void addIgnoredSkus(Tx tx, Collection<String> skus) {
        tx.lockExclusive(AdvisoryLock.IGNORED_SKUS);
        tx.update(
                "delete from farm.\"ignoredSku\" where \"storeId\"=?",
                tx.store().value());
        tx.update(
                "insert into farm.\"ignoredSku\" (\"storeId\", sku) select distinct ?, sku from unnest(?::text[]) sku",
                tx.store().value(),
                texts(skus));
    }

    private static String[] texts(Collection<String> texts) {
        return texts.toArray(String[]::new);
    }
}
