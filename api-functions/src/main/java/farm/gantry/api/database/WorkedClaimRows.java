package farm.gantry.api.database;

import farm.gantry.api.security.IdempotencyClaim;

/** Marks idempotency claims whose request has written something. */
final class WorkedClaimRows {
    private WorkedClaimRows() {}

    /**
     * Marks the request's claim as worked in the transaction of its work, if that has written anything.
     *
     * @return false if another request has taken over the claim, so that this one must not work
     */
    static boolean markWorked(Tx tx, IdempotencyClaim claim) {
        return tx.query(
                """
                with wrote as (select pg_current_xact_id_if_assigned() is not null as yes),
                noted as (
                  update farm."idempotencyKey" set worked = true from wrote
                  where wrote.yes and "storeId" = ? and id = ? and token = ? returning 1)
                select not yes or exists (select from noted) from wrote""", rows -> rows.next() && rows.getBoolean(1), tx.store().value(), claim.id(), claim.token());
    }
}
