package farm.gantry.ingest.function;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/** JSON as SQS takes it: of what JSON may hold unescaped, it refuses or replaces U+FFFE and U+FFFF alone. */
public final class MessageBody {
    /** In bytes: no queue takes a larger message. */
    public static final int MAX_BYTES = 1 << 20;

    private static final Set<String> REFUSALS =
            Set.of("BatchRequestTooLong", "InvalidMessageContents", "InvalidParameterValue");
    /** Faults of the sender that a message does not have for ever: too many requests, and missing permissions. */
    private static final Pattern PASSING = Pattern.compile("(?i)throttl|overlimit|denied|kms");

    private MessageBody() {}

    /** The same JSON with these as escapes. */
    public static String of(String json) {
        return json.replace("\uFFFE", "\\ufffe").replace("\uFFFF", "\\uffff");
    }

    /** How many bytes of the limits a body takes. */
    public static int bytes(String body) {
        return body.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Whether a request is refused for the messages in it, and would be so each time. */
    public static boolean isRefused(AwsServiceException fault) {
        String code = fault.awsErrorDetails() == null
                ? ""
                : Objects.requireNonNullElse(fault.awsErrorDetails().errorCode(), "");
        return REFUSALS.contains(code.substring(code.lastIndexOf('.') + 1));
    }

    /** The same of one message of a batch. */
    public static boolean isRefused(BatchResultErrorEntry failed) {
        return failed.senderFault() && !PASSING.matcher(failed.code()).find();
    }
}
