package farm.gantry.api;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import farm.gantry.api.main.HttpApiFunction;
import io.micronaut.function.aws.proxy.MockLambdaContext;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** The Lambda function, called directly with the events of API Gateway. */
public final class Lambda implements Host {
    private final RequestStreamHandler function;

    /** Apart, for tests elsewhere have no such farm. */
    private static final class Shared {
        private static final HttpApiFunction FUNCTION = new HttpApiFunction(SharedApi.context());
    }

    public Lambda() {
        this(Shared.FUNCTION);
    }

    /** One of its own settings. */
    public Lambda(RequestStreamHandler function) {
        this.function = function;
    }

    @Override
    public Answer send(Call call) throws IOException {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        function.handleRequest(new ByteArrayInputStream(HttpApiEvent.of(call)), json, new MockLambdaContext());
        return HttpApiEvent.answer(json.toByteArray());
    }
}
