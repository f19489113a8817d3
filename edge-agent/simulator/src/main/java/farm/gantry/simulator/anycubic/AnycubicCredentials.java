package farm.gantry.simulator.anycubic;

import farm.gantry.json.Json;
import farm.gantry.simulator.network.UploadForm;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The secrets of a simulated Anycubic printer. Each start generates new ones, as on a real printer. */
record AnycubicCredentials(String token, String user, String password, String uploadToken) {
    private static final int HALF = 16;

    static AnycubicCredentials random() {
        return new AnycubicCredentials(secret(), "user" + secret().substring(0, 8), secret(), secret());
    }

    private static String secret() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    Map<String, Object> info(String address, boolean cloud) {
        return Map.of(
                "ctrlType",
                cloud ? "cloud" : "lan",
                "token",
                token,
                "ctrlInfoUrl",
                address + "/ctrl",
                "modelId",
                AnycubicSimulator.MODEL,
                "modelName",
                "Simulated",
                "deviceType",
                "fdm");
    }

    /** Returns the broker's login for a request signed with the token, encrypted with the token's second half. */
    Map<String, Object> login(FullHttpRequest request, String broker, String device) {
        Map<String, List<String>> parameters = new QueryStringDecoder(request.uri()).parameters();
        String signed = md5(
                md5(token.substring(0, HALF)) + queryParameter(parameters, "ts") + queryParameter(parameters, "nonce"));
        boolean good = request.method().equals(HttpMethod.POST)
                && signed.equals(queryParameter(parameters, "sign"))
                && queryParameter(parameters, "nonce").matches("[A-Za-z0-9]{6}")
                && queryParameter(parameters, "did").matches("[A-Z0-9]{32}");
        if (!good) {
            return Map.of("code", 10_403, "message", "sign error");
        }
        String login = Json.write(Map.of("broker", broker, "username", user, "password", password, "deviceId", device));
        String start = secret().substring(0, HALF - 3); // Shorter than a block: it is filled up with zeroes.
        return Map.of("code", 200, "message", "success", "data", Map.of("token", start, "info", encrypt(login, start)));
    }

    private static String queryParameter(Map<String, List<String>> parameters, String name) {
        return parameters.getOrDefault(name, List.of("")).getFirst();
    }

    private static String md5(String text) {
        return UploadForm.hash("MD5", text.getBytes(StandardCharsets.UTF_8));
    }

    private String encrypt(String text, String start) {
        try {
            byte[] vector = Arrays.copyOf(start.getBytes(StandardCharsets.US_ASCII), HALF);
            byte[] key = token.substring(HALF).getBytes(StandardCharsets.US_ASCII);
            Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(vector));
            return Base64.getEncoder().encodeToString(cipher.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    boolean accepts(String asUser, String withPassword) {
        return user.equals(asUser) && password.equals(withPassword);
    }
}
