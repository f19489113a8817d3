package farm.gantry.api.notification;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.RecordBuilder;
import farm.gantry.json.Json;
import farm.gantry.notification.NotificationChannel.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests messages to browsers against the example of RFC 8291, and as a browser and its push service read them. */
final class WebPushTest {
    private static final String ID = "0mwq3f7k2v9x4b8n1c6z5t01";
    private static final String ENDPOINT = "https://push.example.net:8443/send/abc";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final KeyPair browser = keyPair();
    private final KeyPair farm = keyPair();
    private final byte[] secret = new byte[16];

    private static KeyPair keyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] decode(String text) {
        return Base64.getUrlDecoder().decode(text);
    }

    private static String point(KeyPair pair) {
        return ENCODER.encodeToString(P256.encode((ECPublicKey) pair.getPublic()));
    }

    private ChannelRequest.Http request(Message message) {
        byte[] scalar = ((ECPrivateKey) farm.getPrivate()).getS().toByteArray();
        byte[] key = new byte[32];
        int length = Math.min(scalar.length, key.length);
        System.arraycopy(scalar, scalar.length - length, key, key.length - length, length);
        Settings settings = RecordBuilder.of(Settings.class)
                .with(Settings::url, ENDPOINT)
                .with(Settings::token, ENCODER.encodeToString(secret))
                .with(Settings::publicKey, point(browser))
                .with(Settings::vapidPublicKey, point(farm))
                .with(Settings::vapidKey, ENCODER.encodeToString(key))
                .build();
        return (ChannelRequest.Http) new WebPush().request(settings, message, ID);
    }

    private static Message message(String text, @Nullable String link) {
        return new Message("Print failed", text, Message.Severity.error, link);
    }

    /** Decrypts a body as the browser does. */
    private Map<String, Object> read(byte[] body) throws GeneralSecurityException, IOException {
        ByteBuffer record = ByteBuffer.wrap(body);
        byte[] salt = new byte[16];
        record.get(salt);
        assertThat(record.getInt()).isEqualTo(4096);
        byte[] sender = new byte[record.get()];
        record.get(sender);
        byte[] encrypted = new byte[record.remaining()];
        record.get(encrypted);
        KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
        agreement.init(browser.getPrivate());
        agreement.doPhase(P256.decodePublic(sender), true);
        byte[] info = ByteBuffer.allocate(14 + 65 + 65)
                .put("WebPush: info\0".getBytes(US_ASCII))
                .put(P256.encode((ECPublicKey) browser.getPublic()))
                .put(sender)
                .array();
        byte[] shared = derive(agreement.generateSecret(), secret, info, 32);
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(
                Cipher.DECRYPT_MODE,
                new SecretKeySpec(derive(shared, salt, "Content-Encoding: aes128gcm\0".getBytes(US_ASCII), 16), "AES"),
                new GCMParameterSpec(128, derive(shared, salt, "Content-Encoding: nonce\0".getBytes(US_ASCII), 12)));
        byte[] padded = cipher.doFinal(encrypted);
        assertThat(padded[padded.length - 1]).isEqualTo((byte) 2);
        return Json.tree(new String(padded, 0, padded.length - 1, UTF_8));
    }

    private static byte[] derive(byte[] material, byte[] salt, byte[] info, int length)
            throws GeneralSecurityException {
        return KDF.getInstance("HKDF-SHA256")
                .deriveData(HKDFParameterSpec.ofExtract()
                        .addIKM(material)
                        .addSalt(salt)
                        .thenExpand(info, length));
    }

    @Test
    void exampleOfTheStandardIsEncryptedAsThere() throws Exception {
        String sender = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
        byte[] body = PushEncryption.encrypt(
                "When I grow up, I want to be a watermelon".getBytes(UTF_8),
                P256.decodePublic(decode(
                        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")),
                decode("BTBZMqHH6r4Tts7J_aSIgg"),
                new KeyPair(
                        P256.decodePublic(decode(sender)),
                        P256.decodePrivate(decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))),
                decode("DGv6ra1nlYgDCS1FRnbzlw"));
        assertThat(ENCODER.encodeToString(body))
                .isEqualTo("DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vC"
                        + "YLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNW"
                        + "QexSgSxsj_Qulcy4a-fN");
    }

    @Test
    void onlyTheBrowserReadsTheMessage() throws Exception {
        ChannelRequest.Http first = request(message("Völker 3 failed.", "https://farm.example/console"));
        assertThat(first.url()).hasToString(ENDPOINT);
        assertThat(first.headers())
                .containsEntry("Content-Encoding", "aes128gcm")
                .containsEntry("Urgency", "high")
                .containsEntry("TTL", "86400")
                .containsEntry("Topic", ID);
        assertThat(new String(first.body(), UTF_8)).doesNotContain("failed");
        assertThat(read(first.body()))
                .isEqualTo(Map.of(
                        "tag",
                        ID,
                        "title",
                        "Print failed",
                        "text",
                        "Völker 3 failed.",
                        "link",
                        "https://farm.example/console"));
        assertThat(request(message("Völker 3 failed.", null)).body())
                .as("each has its own key")
                .isNotEqualTo(first.body());
    }

    @Test
    void pushServiceKnowsWhoSends() throws Exception {
        String header = Objects.requireNonNull(request(message("a", "https://farm.example/console/queue"))
                .headers()
                .get("Authorization"));
        assertThat(header).matches("vapid t=[^,]+, k=" + point(farm));
        String[] token =
                header.substring("vapid t=".length(), header.indexOf(',')).split("\\.", -1);
        Map<String, Object> claims = Json.tree(new String(decode(token[1]), UTF_8));
        assertThat(claims)
                .containsEntry("aud", "https://push.example.net:8443")
                .containsEntry("sub", "https://farm.example");
        assertThat(((Number) Objects.requireNonNull(claims.get("exp"))).longValue())
                .isBetween(
                        Instant.now().getEpochSecond(),
                        Instant.now().plusSeconds(86_400).getEpochSecond());
        Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
        signature.initVerify(farm.getPublic());
        signature.update((token[0] + "." + token[1]).getBytes(US_ASCII));
        assertThat(signature.verify(decode(token[2]))).isTrue();
    }

    @Test
    void longMessageIsShortened() throws Exception {
        ChannelRequest.Http request = request(message("水".repeat(5_000), "https://farm.example/" + "x".repeat(200)));
        assertThat(request.body()).hasSizeLessThanOrEqualTo(4_096);
        assertThat(read(request.body()).get("text")).asString().endsWith("水…");
    }

    @Test
    void keysAreChecked() {
        byte[] elsewhere = P256.encode((ECPublicKey) browser.getPublic());
        elsewhere[64] ^= 1;
        assertThat(WebPush.publicKeyFault(point(browser))).isEmpty();
        assertThat(WebPush.publicKeyFault(ENCODER.encodeToString(elsewhere))).isPresent();
        assertThat(WebPush.publicKeyFault("B!")).isPresent();
        assertThat(WebPush.privateKeyFault("short")).isPresent();
        assertThat(new WebPush().tokenFault(ENCODER.encodeToString(secret))).isEmpty();
        assertThat(new WebPush().tokenFault(ENCODER.encodeToString(Arrays.copyOf(secret, 17))))
                .isPresent();
        assertThatThrownBy(() -> P256.decodePrivate(new byte[31])).isInstanceOf(GeneralSecurityException.class);
    }
}
