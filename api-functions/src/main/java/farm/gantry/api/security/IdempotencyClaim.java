package farm.gantry.api.security;

/**
 * The claim of a request on its {@code Idempotency-Key}.
 *
 * @param id id of the key's record
 * @param token token of this request; it differs in the record if another request has taken over the claim after the
 * lease expired
 */
public record IdempotencyClaim(String id, String token) {}
