package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import farm.gantry.api.database.SnapStartPreparation;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Set;

/**
 * Serves only the routes of the agent link, at a function URL, because requests through a gateway cost more than the
 * function itself.
 */
public final class AgentLinkFunction implements RequestStreamHandler {
    private static final Set<String> PATHS = Set.of("/v1/agents/link", "/v1/agents/link/stills");

    private final HttpApiFunction api;

    /** Used by Lambda; configured by the environment. */
    public AgentLinkFunction() {
        this(FunctionContext.start());
    }

    public AgentLinkFunction(ApplicationContext context) {
        this.api = new HttpApiFunction(context);
        SnapStartPreparation.rehearse(context, RequestRehearsal.ofLink(api, context)::run);
    }

    @Override
    public void handleRequest(InputStream event, OutputStream answer, Context context) throws IOException {
        api.handleRequest(event, answer, context, PATHS::contains);
    }
}
