package farm.gantry.api.main;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for 127.0.0.1 and its key, in files, and a client that trusts it. */
record Pem(Path certificate, Path key, SSLContext trust) {
    static Pem in(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("keys.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        String options =
                "-genkeypair -alias farm -keyalg EC -dname CN=127.0.0.1 -ext san=ip:127.0.0.1 -storetype PKCS12"
                        + " -storepass secret -keystore " + store;
        String[] command = (keytool + " " + options).split(" ", -1);
        new ProcessBuilder(command).inheritIO().start().waitFor();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream stream = Files.newInputStream(store)) {
            keys.load(stream, "secret".toCharArray());
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
        KeyStore roots = KeyStore.getInstance("PKCS12");
        roots.load(null, null);
        roots.setCertificateEntry("farm", keys.getCertificate("farm"));
        trusted.init(roots);
        SSLContext trust = SSLContext.getInstance("TLS");
        trust.init(null, trusted.getTrustManagers(), null);
        return new Pem(
                write(folder, "CERTIFICATE", keys.getCertificate("farm").getEncoded()),
                write(
                        folder,
                        "PRIVATE KEY",
                        keys.getKey("farm", "secret".toCharArray()).getEncoded()),
                trust);
    }

    private static Path write(Path folder, String kind, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(
                folder.resolve(kind.replace(' ', '-') + ".pem"),
                "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n",
                StandardCharsets.US_ASCII);
    }
}
