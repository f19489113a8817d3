package farm.gantry.ingest.function;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/**
 * JSON as SQS accepts it: of the characters that JSON may contain unescaped, SQS rejects or replaces only U+FFFE and
 * U+FFFF.
 */
public final class SqsMessageBody {
    /** In bytes: no queue takes a larger message. */
    public static final int MAX_BYTES = 1 << 20;

    private static final Set<String> REFUSALS =
            Set.of("BatchRequestTooLong", "InvalidMessageContents", "InvalidParameterValue");
    /** Temporary errors that are not the message's fault: too many requests, and missing permissions. */
    private static final Pattern PASSING = Pattern.compile("(?i)throttl|overlimit|denied|kms");

    private SqsMessageBody() {}

    /** Returns the JSON with these characters as escapes. */
    public static String escape(String json) {
        return json.replace("\uFFFE", "\\ufffe").replace("\uFFFF", "\\uffff");
    }

    /** Returns the size of a body that counts for the limits, in bytes. */
    public static int sizeInBytes(String body) {
        return body.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns whether a request is rejected because of its messages, so that a retry would fail too. */
    public static boolean isPermanentlyRejected(AwsServiceException fault) {
        String code = fault.awsErrorDetails() == null
                ? ""
                : Objects.requireNonNullElse(fault.awsErrorDetails().errorCode(), "");
        return REFUSALS.contains(code.substring(code.lastIndexOf('.') + 1));
    }

    /** Returns whether one message of a batch is rejected because of its content. */
    public static boolean isPermanentlyRejected(BatchResultErrorEntry failed) {
        return failed.senderFault() && !PASSING.matcher(failed.code()).find();
    }
}
