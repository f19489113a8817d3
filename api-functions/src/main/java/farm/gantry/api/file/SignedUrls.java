package farm.gantry.api.file;

import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.address.PublicUrl;
import farm.gantry.file.FileUri;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Creates and verifies URLs of this installation, signed with its pepper. */
@Singleton
@Requires(missingProperty = "gantry.aws.bucket")
public final class SignedUrls implements FileUrls {
    static final String ROUTE = "/v1/storage/content";

    private final Pepper pepper;
    private final PublicUrl address;

    SignedUrls(Pepper pepper, PublicUrl address) {
        this.pepper = pepper;
        this.address = address;
    }

    /** Returns the address that the request was sent to. */
    @Override
    public String base(HttpRequest<?> request) {
        return address.ofRequest(request);
    }

    @Override
    public String base() {
        return address.configured()
                .orElseThrow(() ->
                        new IllegalStateException("set gantry.public-url to the address from which files are fetched"));
    }

    @Override
    public String download(String base, FileUri uri, Duration life) {
        return sign("GET", base, uri, life);
    }

    @Override
    public String upload(String base, FileUri uri, Duration life) {
        return sign("PUT", base, uri, life);
    }

    private String sign(String method, String base, FileUri uri, Duration life) {
        long expires = Instant.now().plus(life).getEpochSecond();
        return base + ROUTE + "?path=" + URLEncoder.encode(uri.toString(), StandardCharsets.UTF_8) + "&expires="
                + expires + "&signature=" + signature(pepper.current(), method, uri.toString(), expires);
    }

    /** Verifies a signed request; returns its file. */
    FileUri verify(String method, String path, long expires, String signature) {
        boolean signed = false;
        for (String each : pepper.allVersions()) {
            signed |= MessageDigest.isEqual(
                    signature(each, method, path, expires).getBytes(StandardCharsets.US_ASCII),
                    signature.getBytes(StandardCharsets.UTF_8));
        }
        if (!signed) {
            throw new ProblemException(new Problem.Forbidden("the URL's signature is invalid for this request", null));
        }
        if (Instant.now().getEpochSecond() > expires) {
            throw new ProblemException(new Problem.Forbidden("the URL has expired; request a new one", null));
        }
        return FileUri.parse(path).orElseThrow(() -> ProblemException.notFound("file"));
    }

    private static String signature(String pepper, String method, String path, long expires) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(("files:" + pepper).getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return HexFormat.of()
                    .formatHex(mac.doFinal((method + "\n" + expires + "\n" + path).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
