package farm.gantry.ingest.function.emulator;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Points the AWS SDK to an emulator in this process by system properties, so that clients are created as on AWS. */
public final class SdkSettings implements AutoCloseable {
    public static final String REGION = "eu-central-1";
    public static final String KEY = "testkey";
    public static final String SECRET = "test-secret";

    private final Map<String, @Nullable String> before = new HashMap<>();

    public SdkSettings(String endpoint, int port) {
        set("aws.accessKeyId", KEY);
        set("aws.secretAccessKey", SECRET);
        set(endpoint, "http://127.0.0.1:" + port);
    }

    private void set(String name, String value) {
        before.put(name, System.setProperty(name, value));
    }

    @Override
    public void close() {
        before.forEach((name, value) -> {
            if (value == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, value);
            }
        });
    }
}
