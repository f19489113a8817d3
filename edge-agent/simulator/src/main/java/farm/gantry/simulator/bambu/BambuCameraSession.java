package farm.gantry.simulator.bambu;

import farm.gantry.simulator.camera.SimulatedCamera;
import farm.gantry.simulator.network.DeviceCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;

/** Sends camera images over one TLS connection, after a login with the access code. */
record BambuCameraSession(BambuSimulator simulator, Socket client) {
    private static final int LOGIN = 80;
    private static final int NAME_AT = 16;
    private static final int CODE_AT = 48;
    private static final int HEAD = 16;
    private static final long BETWEEN_PICTURES = 100_000_000;

    void run() throws IOException {
        SSLSocket socket = DeviceCertificate.accept(simulator.certificate().sslContext(), client);
        byte[] login = socket.getInputStream().readNBytes(LOGIN);
        if (login.length < LOGIN
                || !simulator.accepts(readTextField(login, NAME_AT, CODE_AT), readTextField(login, CODE_AT, LOGIN))) {
            return;
        }
        byte[] jpeg = SimulatedCamera.JPEG.bytes();
        ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(jpeg.length).putInt(0).putInt(1).putInt(0);
        OutputStream out = socket.getOutputStream();
        while (simulator.isReachable()) {
            out.write(head.array());
            if (simulator.has("camera-broken")) {
                out.write(jpeg, 0, jpeg.length / 2);
                return;
            }
            out.write(jpeg);
            LockSupport.parkNanos(BETWEEN_PICTURES);
        }
    }

    /** Returns a text field of the login, up to its zero padding. */
    private static String readTextField(byte[] login, int from, int to) {
        byte[] place = Arrays.copyOfRange(login, from, to);
        return new String(place, StandardCharsets.US_ASCII).replace("\0", "");
    }
}
