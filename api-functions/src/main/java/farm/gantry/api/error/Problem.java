package farm.gantry.api.error;

import farm.gantry.Permission;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reason why a request fails. {@code ProblemResponses} maps each one to an HTTP status and error code. */
public sealed interface Problem {
    /** Returns the message for people. */
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

    /**
     * The key, token or signature is missing, malformed, unknown, inactive or expired. All cases get the same response,
     * so that it reveals nothing.
     */
    record Unauthorized(Scheme scheme) implements Problem {
        @Override
        public String message() {
            return switch (scheme) {
                case ApiKey -> "a valid API key is required: authorization: ApiKey <key>";
                case AgentToken -> "a valid agent token is required: authorization: AgentToken <token>";
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
            return "another agent with the same token is connected: stop one of them, or pair it again for its own token";
        }
    }

    /** The record no longer matches {@code If-Match}. */
    record PreconditionFailed() implements Problem {
        @Override
        public String message() {
            return "nothing was changed: the record has changed since the version that If-Match names; read it again";
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
            return "the Idempotency-Key was already used with a different request; use a new key for each request, also for a corrected one";
        }
    }

    /** The first request with the idempotency key is still running. */
    record IdempotencyInProgress() implements Problem {
        @Override
        public String message() {
            return "the first request with this Idempotency-Key is still running; retry later";
        }
    }

    /** The first request with the idempotency key did its work, but its response was lost in a crash. */
    record IdempotencyResponseLost() implements Problem {
        @Override
        public String message() {
            return "the request with this Idempotency-Key was carried out, but its response was lost; look up what it created and do not repeat it";
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

    /** The store is at another installation now, or on its way there if {@code address} is null. */
    record StoreMoved(@Nullable String address) implements Problem {
        @Override
        public String message() {
            return address == null
                    ? "this store is being moved to another installation; retry later"
                    : "this store is at " + address + " now; send requests there, with the same key";
        }
    }

    record Unavailable(String message, Duration retryAfter) implements Problem {}
}
