package farm.gantry.api.main;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells an operator why a command or a start failed: in one sentence where this program knows the reason, else by the stack. */
public final class StartFailureMessage {
    private StartFailureMessage() {}

    /** Returns the message of the failure that says what is wrong; those of frameworks wrap it. */
    public static Optional<String> findMessage(Throwable failure) {
        return Stream.iterate(failure, each -> each != null, Throwable::getCause)
                .filter(each -> each instanceof IOException
                        || each instanceof IllegalArgumentException
                        || each instanceof IllegalStateException)
                .map(Throwable::getMessage)
                .filter(message -> message != null && !message.isBlank())
                .findFirst();
    }

    public static void print(Throwable failure, String beginning, PrintWriter out) {
        Optional<String> sentence = findMessage(failure);
        if (sentence.isPresent()) {
            out.println(beginning + sentence.get());
        } else {
            out.println(beginning + failure);
            failure.printStackTrace(out);
        }
        out.flush();
    }
}
