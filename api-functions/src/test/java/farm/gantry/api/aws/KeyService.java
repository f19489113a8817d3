package farm.gantry.api.aws;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import farm.gantry.ingest.function.emulator.SdkSettings;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** A KMS emulator: Encrypt and Decrypt of the JSON protocol with one AES key, bound to the encryption context. */
public final class KeyService implements AutoCloseable {
    private static final Argument<Map<String, Object>> TREE = Argument.mapOf(String.class, Object.class);
    private static final int NONCE_BYTES = 12;

    private final byte[] key = random(32);
    private final AtomicInteger decrypted = new AtomicInteger();
    private final HttpServer server;
    private final SdkSettings settings;

    public KeyService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
        settings = new SdkSettings("aws.endpointUrlKms", server.getAddress().getPort());
    }

    /** Returns the number of Decrypt requests. */
    int decrypted() {
        return decrypted.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Map<String, Object> request =
                Objects.requireNonNull(ObjectMapper.getDefault().readValue(exchange.getRequestBody(), TREE));
        String operation = exchange.getRequestHeaders().getFirst("X-Amz-Target");
        Map<String, Object> answer;
        int status = 200;
        try {
            answer = operation.endsWith(".Encrypt") ? encrypt(request) : decrypt(request);
        } catch (GeneralSecurityException e) {
            status = 400;
            answer = Map.of("__type", "InvalidCiphertextException");
        }
        byte[] body = ObjectMapper.getDefault().writeValueAsString(answer).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("content-type", "application/x-amz-json-1.1");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private Map<String, Object> encrypt(Map<String, Object> request) throws GeneralSecurityException {
        byte[] nonce = random(NONCE_BYTES);
        var sealed = new ByteArrayOutputStream();
        sealed.writeBytes(nonce);
        sealed.writeBytes(cipher(Cipher.ENCRYPT_MODE, nonce, request).doFinal(bytes(request, "Plaintext")));
        return Map.of("CiphertextBlob", Base64.getEncoder().encodeToString(sealed.toByteArray()));
    }

    private Map<String, Object> decrypt(Map<String, Object> request) throws GeneralSecurityException {
        decrypted.incrementAndGet();
        byte[] sealed = bytes(request, "CiphertextBlob");
        byte[] plain = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, NONCE_BYTES), request)
                .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES);
        return Map.of("Plaintext", Base64.getEncoder().encodeToString(plain));
    }

    private Cipher cipher(int mode, byte[] nonce, Map<String, Object> request) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
        String bound = request.get("KeyId") + new TreeMap<>((Map<?, ?>) request.get("EncryptionContext")).toString();
        cipher.updateAAD(bound.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static byte[] bytes(Map<String, Object> request, String name) {
        return Base64.getDecoder().decode(String.valueOf(request.get(name)));
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    @Override
    public void close() {
        settings.close();
        server.stop(0);
    }
}
