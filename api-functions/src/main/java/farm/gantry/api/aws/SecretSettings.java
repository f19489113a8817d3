package farm.gantry.api.aws;

import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Settings that a function reads from Secrets Manager at the start, so that neither its template nor its environment
 * contains them. {@code GANTRY_SECRETS} lists them as {@code setting=arn,setting=arn}.
 */
public final class SecretSettings {
    private static final String SECRETS_VARIABLE = "GANTRY_SECRETS";

    private SecretSettings() {}

    /** Returns the secrets that the environment lists; empty if it lists none. */
    public static Map<String, Object> fromEnvironment(Map<String, String> environment) {
        Map<String, Object> settings = new HashMap<>();
        String named = environment.getOrDefault(SECRETS_VARIABLE, "").strip();
        if (named.isEmpty()) {
            return settings;
        }
        try (SecretsManagerClient secrets = client()) {
            for (String each : named.split(",", -1)) {
                int equals = each.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException(SECRETS_VARIABLE + " is not setting=arn,setting=arn");
                }
                settings.put(each.substring(0, equals).strip(), read(secrets, each.substring(equals + 1)));
            }
        }
        return settings;
    }

    /** Returns a secret by its ARN. */
    public static String read(String arn) {
        try (SecretsManagerClient secrets = client()) {
            return read(secrets, arn);
        }
    }

    private static String read(SecretsManagerClient secrets, String arn) {
        return secrets.getSecretValue(request -> request.secretId(arn.strip())).secretString();
    }

    private static SecretsManagerClient client() {
        return SecretsManagerClient.builder()
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }
}
