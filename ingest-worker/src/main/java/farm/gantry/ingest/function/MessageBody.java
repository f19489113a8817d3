package farm.gantry.ingest.function;

/** JSON as SQS takes it: of what JSON may hold unescaped, it refuses U+FFFE and U+FFFF alone. */
public final class MessageBody {
    private MessageBody() {}

    /** The same JSON with these as escapes. */
    public static String of(String json) {
        return json.replace("\uFFFE", "\\ufffe").replace("\uFFFF", "\\uffff");
    }
}
