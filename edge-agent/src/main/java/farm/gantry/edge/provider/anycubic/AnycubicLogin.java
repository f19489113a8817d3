package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.mqtt.PrinterBroker;
import farm.gantry.edge.trust.PrinterTrust;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A login that a printer has issued: the address of its broker, user and password, and the names of model and device in
 * the broker's topics.
 */
record AnycubicLogin(URI broker, String user, String password, String model, String device) {
    private static final int MQTT = 9883;
    private static final int BLOCK = 16;
    private static final String PREFIX = "anycubic/anycubicCloud/v1/";
    private static final Pattern REPORT = Pattern.compile("([^/]+)/report(/.*)?");

    /**
     * Decrypts the login in a response. The key is the second half of the token; the initialization vector is in the
     * response.
     */
    static AnycubicLogin decrypt(String sealed, String token, String answered, String model) throws IOException {
        Map<String, Object> open = Json.tree(decryptText(sealed, token.substring(BLOCK), answered));
        String broker = Tree.text(open, "broker");
        String device = Tree.text(open, "deviceId");
        String user = Tree.text(open, "username");
        String password = Tree.text(open, "password");
        if (broker == null || device == null || user == null || password == null) {
            throw new IOException("the printer issued no login to its broker");
        }
        return new AnycubicLogin(URI.create(broker), user, password, model, device);
    }

    private static String decryptText(String sealed, String key, String answered) throws IOException {
        try {
            byte[] start = Arrays.copyOf(answered.getBytes(StandardCharsets.US_ASCII), BLOCK);
            Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    new SecretKeySpec(key.getBytes(StandardCharsets.US_ASCII), "AES"),
                    new IvParameterSpec(start));
            return new String(cipher.doFinal(Base64.getDecoder().decode(sealed)), StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("cannot decrypt the login that the printer issued", e);
        }
    }

    PrinterBroker broker(PrinterTrust trust) {
        int port = broker.getPort() < 0 ? MQTT : broker.getPort();
        return new PrinterBroker(broker.getHost(), port, "gantry-" + UUID.randomUUID(), user, password, trust);
    }

    String reportTopics() {
        return PREFIX + "printer/public/" + topicPath() + "/#";
    }

    /** Returns the type of a report, which is part of its topic; null if the topic is not that of a report. */
    @Nullable
    String reportType(String topic) {
        Matcher below = REPORT.matcher(
                topic.substring(Math.min(topic.length(), reportTopics().length() - 1)));
        return below.matches() ? below.group(1) : null;
    }

    String commandTopic(String type) {
        return PREFIX + "web/printer/" + topicPath() + "/" + type;
    }

    /** Returns the topic for starting prints, which is the topic that slicers use. */
    String startTopic() {
        return PREFIX + "slicer/printer/" + topicPath() + "/print";
    }

    private String topicPath() {
        return model + "/" + device;
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return String.valueOf(broker);
    }
}
