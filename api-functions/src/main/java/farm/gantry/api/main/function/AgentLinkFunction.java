package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Set;

/** The link at an address of its own, without a gateway, whose requests cost more than the function; it knows nothing else. */
public final class AgentLinkFunction implements RequestStreamHandler {
    private static final Set<String> PATHS = Set.of("/v1/agents/link", "/v1/agents/link/stills");

    private final HttpApiFunction api;

    /** As Lambda makes it: configured by the environment. */
    public AgentLinkFunction() {
        this(FunctionContext.start());
    }

    public AgentLinkFunction(ApplicationContext context) {
        this.api = new HttpApiFunction(context);
    }

    @Override
    public void handleRequest(InputStream event, OutputStream answer, Context context) throws IOException {
        api.handleRequest(event, answer, context, PATHS::contains);
    }
}
