package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.http.Film;
import farm.gantry.edge.mqtt.Trust;
import farm.gantry.edge.printer.Picture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/** The port at which the smaller printers show pictures one after the other to whoever has the access code. */
record CameraPort(Address address, Trust trust) {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int LOGIN = 80;
    private static final int LOGIN_BODY = 0x40;
    private static final int LOGIN_KIND = 0x3000;
    private static final int USER_AT = 16;
    private static final int CODE_AT = 48;

    Picture picture() throws IOException {
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(address.host(), address.cameraPort()), (int) SOON.toMillis());
            plain.setSoTimeout((int) SOON.toMillis());
            SSLSocket socket = (SSLSocket)
                    trust.context().getSocketFactory().createSocket(plain, address.host(), address.cameraPort(), true);
            socket.getOutputStream().write(login());
            return Film.picture(socket.getInputStream());
        }
    }

    /** A fixed head, then name and code, each with zeros up to its place. */
    private byte[] login() {
        ByteBuffer login = ByteBuffer.allocate(LOGIN).order(ByteOrder.LITTLE_ENDIAN);
        login.putInt(LOGIN_BODY).putInt(LOGIN_KIND);
        login.position(USER_AT).put("bblp".getBytes(StandardCharsets.US_ASCII));
        byte[] code = address.accessCode().getBytes(StandardCharsets.US_ASCII);
        login.position(CODE_AT).put(code, 0, Math.min(code.length, LOGIN - CODE_AT));
        return login.array();
    }
}
