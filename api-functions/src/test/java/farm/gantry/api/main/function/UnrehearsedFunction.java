package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The API's function as it would be without a rehearsal before its snapshot, to compare with. */
public final class UnrehearsedFunction implements RequestStreamHandler {
    private final HttpApiFunction api = new HttpApiFunction(FunctionContext.start());

    @Override
    public void handleRequest(InputStream event, OutputStream response, Context context) throws IOException {
        api.handleRequest(event, response, context);
    }
}
