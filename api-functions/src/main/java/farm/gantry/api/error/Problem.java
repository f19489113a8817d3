package farm.gantry.api.error;

import farm.gantry.Permission;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every way in which a request can fail; the HTTP status and error code of each are in {@code ProblemResponses}. */
public sealed interface Problem {
    /** A sentence for people. */
    String message();

    record MalformedJson(String message) implements Problem {}

    record Invalid(List<Fault> faults) implements Problem {
        @Override
        public String message() {
            return faults.size() == 1 ? faults.getFirst().message() : faults.size() + " fields are invalid";
        }
    }

    record BadRequest(String message) implements Problem {}

    record InvalidFilter(String parameter, String message) implements Problem {}

    record InvalidSort(String message) implements Problem {}

    record InvalidInclude(String message) implements Problem {}

    /** Returns one response for a missing, malformed, unknown, inactive or expired key, token or signature. */
    record Unauthorized(Scheme scheme) implements Problem {
        @Override
        public String message() {
            return switch (scheme) {
                case ApiKey -> "a valid API key is required: authorization: ApiKey <key>";
                case AgentToken -> "a valid agent's token is required: authorization: AgentToken <token>";
                case WebhookSignature -> "a valid signature is required in webhook-signature";
            };
        }
    }

    /** Authentication scheme, as named in {@code WWW-Authenticate}. */
    enum Scheme {
        ApiKey,
        AgentToken,
        WebhookSignature
    }

    record Forbidden(String message, @Nullable Permission missing) implements Problem {}

    record NotFound(String message) implements Problem {}

    /** Some ids of a bulk change are unknown; nothing was changed. */
    record UnknownIds(List<String> missing) implements Problem {

        @Override
        public String message() {
            return "nothing was changed: some ids are unknown";
        }
    }

    record MethodNotAllowed(String message) implements Problem {}

    record Conflict(String message) implements Problem {}

    /** Another process with the agent's token is being served. */
    record AgentSuperseded() implements Problem {
        @Override
        public String message() {
            return "another agent with the same token is connected: stop one of them, or pair one of them again";
        }
    }

    /** The record no longer matches {@code If-Match}. */
    record PreconditionFailed() implements Problem {
        @Override
        public String message() {
            return "nothing was changed: the record is no longer what If-Match names";
        }
    }

    /** Devices already registered in this store or another; nothing was changed. */
    record DevicesAlreadyRegistered(List<String> conflicts) implements Problem {
        @Override
        public String message() {
            return "nothing was changed: some devices are already registered";
        }
    }

    /** Printers that cannot perform {@code action}, which completes "cannot …"; nothing was changed. */
    record PrintersUnable(String action, List<Fault> faults) implements Problem {
        @Override
        public String message() {
            return "nothing was changed: "
                    + (faults.size() == 1
                            ? "1 printer cannot " + action + "; the reason is in details"
                            : faults.size() + " printers cannot " + action + "; the reasons are in details");
        }
    }

    /** Another request was sent with the idempotency key. */
    record IdempotencyKeyReused() implements Problem {
        @Override
        public String message() {
            return "the Idempotency-Key was sent with another request before: also one that corrects it takes a new key";
        }
    }

    /** The first request with the idempotency key is still running. */
    record IdempotencyInProgress() implements Problem {
        @Override
        public String message() {
            return "the request with this Idempotency-Key still runs: send it again later";
        }
    }

    /** The first request with the idempotency key did its work, but its response was lost in a crash. */
    record IdempotencyResponseLost() implements Problem {
        @Override
        public String message() {
            return "the request with this Idempotency-Key was carried out and its answer was lost: look for what it made";
        }
    }

    record TooLarge(String message) implements Problem {}

    record PageTooLarge(String message) implements Problem {}

    record UnsupportedMediaType(String message) implements Problem {}

    /** A range beyond the end of a file of {@code size} bytes. */
    record RangeNotSatisfiable(long size) implements Problem {
        @Override
        public String message() {
            return "the file has " + size + " bytes";
        }
    }

    record TooSlow(String message) implements Problem {}

    record RateLimited(Duration retryAfter) implements Problem {
        @Override
        public String message() {
            return "too many requests";
        }
    }

    record Internal() implements Problem {
        @Override
        public String message() {
            return "internal error; find the request id in the log";
        }
    }

    record NotImplemented(String message) implements Problem {}

    record Unavailable(String message, Duration retryAfter) implements Problem {}
}
