package farm.gantry.api.main;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import java.util.Set;

/** The link at an address of its own, without a gateway, whose requests cost more than the function; it knows nothing else. */
public final class LinkFunction implements RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> {
    private static final Set<String> PATHS = Set.of("/v1/agents/link", "/v1/agents/link/stills");
    private static final int NOT_FOUND = 404;

    private final HttpApiFunction api;

    /** As Lambda makes it: configured by the environment. */
    public LinkFunction() {
        this(FunctionContext.start());
    }

    public LinkFunction(ApplicationContext context) {
        this.api = new HttpApiFunction(context);
    }

    @Override
    public APIGatewayV2HTTPResponse handleRequest(APIGatewayV2HTTPEvent event, Context context) {
        return PATHS.contains(event.getRawPath())
                ? api.handleRequest(event, context)
                : APIGatewayV2HTTPResponse.builder()
                        .withStatusCode(NOT_FOUND)
                        .withHeaders(Map.of())
                        .withBody("")
                        .build();
    }
}
