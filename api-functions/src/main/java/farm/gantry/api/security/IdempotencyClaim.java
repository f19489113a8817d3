package farm.gantry.api.security;

/**
 * A request's right to do what its {@code Idempotency-Key} stands for.
 *
 * @param id of the record of the key
 * @param token of this request; another's, once its lease has ended and the request was sent again
 */
public record IdempotencyClaim(String id, String token) {}
