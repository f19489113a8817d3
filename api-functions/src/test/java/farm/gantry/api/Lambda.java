package farm.gantry.api;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayV2HTTPResponse;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.amazonaws.services.lambda.runtime.serialization.events.LambdaEventSerializers;
import farm.gantry.api.main.HttpApiFunction;
import io.micronaut.function.aws.proxy.MockLambdaContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;

/** The Lambda function, called directly with the events of API Gateway. */
public final class Lambda implements Host {
    private static final PojoSerializer<APIGatewayV2HTTPEvent> EVENTS =
            LambdaEventSerializers.serializerFor(APIGatewayV2HTTPEvent.class, Lambda.class.getClassLoader());
    private static final PojoSerializer<APIGatewayV2HTTPResponse> ANSWERS =
            LambdaEventSerializers.serializerFor(APIGatewayV2HTTPResponse.class, Lambda.class.getClassLoader());

    private final RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> function;

    /** Apart, for tests elsewhere have no such farm. */
    private static final class Shared {
        private static final HttpApiFunction FUNCTION = new HttpApiFunction(SharedApi.context());
    }

    public Lambda() {
        this(Shared.FUNCTION);
    }

    /** One of its own settings. */
    public Lambda(RequestHandler<APIGatewayV2HTTPEvent, APIGatewayV2HTTPResponse> function) {
        this.function = function;
    }

    @Override
    public Answer send(Call call) {
        APIGatewayV2HTTPEvent event = EVENTS.fromJson(new ByteArrayInputStream(HttpApiEvent.of(call)));
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        ANSWERS.toJson(function.handleRequest(event, new MockLambdaContext()), json);
        return HttpApiEvent.answer(json.toByteArray());
    }
}
