package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import farm.gantry.api.main.admin.AdminCommand;
import io.micronaut.context.ApplicationContext;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;

/**
 * Runs the commands of {@code gantry-admin} within the network of a stage. It has no address; IAM decides who may
 * invoke it. The event is {@code {"command": ["store", "create", "--name", "My farm"]}}, the response {@code
 * {"exitCode": 0, "output": "…", "error": ""}}. A failed command is a response too, because Lambda would repeat an
 * asynchronous invocation that throws.
 */
public final class AdminFunction implements RequestHandler<Map<String, Object>, Map<String, Object>> {
    private static final Logger LOG = LoggerFactory.getLogger(AdminFunction.class);
    private static final int INVALID_EVENT_STATUS = 2;

    private final Supplier<ApplicationContext> installation;

    /** Used by Lambda. Each command starts its own beans, so that it reads the current secrets. */
    public AdminFunction() {
        this(FunctionContext::start);
    }

    public AdminFunction(Supplier<ApplicationContext> installation) {
        this.installation = installation;
    }

    @Override
    public Map<String, Object> handleRequest(Map<String, Object> event, Context context) {
        String[] words = parseWords(event.get("command"));
        if (words.length == 0) {
            return response(
                    INVALID_EVENT_STATUS,
                    "",
                    "the event must have the form {\"command\": [\"store\", \"create\", \"--name\", \"My farm\"]}\n");
        }
        StringWriter output = new StringWriter();
        StringWriter error = new StringWriter();
        int status = commandLine(output, error).execute(words);
        // The output is not logged: it may be an API key.
        LOG.info("the operator's command {} ended with exit code {}", List.of(words), status);
        return response(status, output.toString(), error.toString());
    }

    private CommandLine commandLine(StringWriter output, StringWriter error) {
        CommandLine line = AdminCommand.commandLine(installation)
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(error, true));
        IExecutionExceptionHandler print = line.getExecutionExceptionHandler();
        return line.setExecutionExceptionHandler((failure, command, parsed) -> {
            LOG.error("the operator's command {} failed", command.getCommandName(), failure);
            return print.handleExecutionException(failure, command, parsed);
        });
    }

    /** Returns the words of a command; none if the value has another form. */
    private static String[] parseWords(@Nullable Object command) {
        return command instanceof List<?> words && words.stream().allMatch(String.class::isInstance)
                ? words.stream().map(String::valueOf).toArray(String[]::new)
                : new String[0];
    }

    private static Map<String, Object> response(int status, String output, String error) {
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("exitCode", status);
        response.put("output", output);
        response.put("error", error);
        return response;
    }
}
