package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.camera.MjpegReader;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PrinterTrust;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/**
 * A printer's camera, which requires the access code. The smaller printers send single images; the larger ones send a
 * video stream if it was enabled at their screen.
 */
record BambuLabCamera(BambuLabAddress address, PrinterTrust trust) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int LOGIN = 80;
    private static final int LOGIN_BODY = 0x40;
    private static final int LOGIN_KIND = 0x3000;
    private static final int USER_AT = 16;
    private static final int CODE_AT = 48;

    CameraImage readImage() throws IOException {
        try (SSLSocket socket = open(address.cameraPort())) {
            socket.getOutputStream().write(loginMessage());
            return MjpegReader.readFirstImage(socket.getInputStream());
        }
    }

    /** Returns the first image of the RTSP stream, whose address the printer reports if the stream is enabled. */
    CameraImage readImage(String reported, Ffmpeg ffmpeg) throws IOException, Refusal {
        if (!reported.startsWith("rtsps://")) {
            throw new Refusal(
                    "the printer's camera stream is off:" + " turn on LAN Mode Liveview in the settings at its screen");
        }
        ffmpeg.requireInstalled();
        try (SSLSocket socket = open(address.videoPort())) {
            socket.startHandshake();
            return ffmpeg.extractFirstImage(
                    socket, BambuLabAddress.FILM_PATH, BambuLabAddress.USER, address.accessCode());
        }
    }

    private SSLSocket open(int port) throws IOException {
        SSLSocket socket = (SSLSocket) trust.sslContext().getSocketFactory().createSocket();
        try {
            socket.setSoTimeout((int) TIMEOUT.toMillis());
            socket.connect(new InetSocketAddress(address.host(), port), (int) TIMEOUT.toMillis());
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns the login message: a fixed header, then user name and access code, each padded with zeros. */
    private byte[] loginMessage() {
        ByteBuffer login = ByteBuffer.allocate(LOGIN).order(ByteOrder.LITTLE_ENDIAN);
        login.putInt(LOGIN_BODY).putInt(LOGIN_KIND);
        login.position(USER_AT).put(BambuLabAddress.USER.getBytes(StandardCharsets.US_ASCII));
        byte[] code = address.accessCode().getBytes(StandardCharsets.US_ASCII);
        login.position(CODE_AT).put(code, 0, Math.min(code.length, LOGIN - CODE_AT));
        return login.array();
    }
}
