package farm.gantry.api;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The API under Lambda's real runtime client, in a JVM that knows nothing of the tests'. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LambdaRuntimeTest implements HttpContract {
    private RuntimeInterface runtime;

    @BeforeAll
    void start() throws IOException {
        runtime = new RuntimeInterface();
    }

    @AfterAll
    void stop() {
        runtime.close();
    }

    @Override
    public Host host() {
        return runtime;
    }
}
