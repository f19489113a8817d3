package farm.gantry.simulator;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;

/** One who looks at the pictures of a simulated printer's camera, if he has the access code. */
record BambuCameraSession(BambuSimulator simulator, Socket visitor) {
    private static final int LOGIN = 80;
    private static final int NAME_AT = 16;
    private static final int CODE_AT = 48;
    private static final int HEAD = 16;
    private static final long BETWEEN_PICTURES = 100_000_000;

    void show() throws IOException {
        SSLSocket socket = (SSLSocket)
                simulator.identity().forFiles().getSocketFactory().createSocket(visitor, null, visitor.getPort(), true);
        socket.setUseClientMode(false);
        byte[] login = socket.getInputStream().readNBytes(LOGIN);
        if (login.length < LOGIN || !simulator.admits(text(login, NAME_AT, CODE_AT), text(login, CODE_AT, LOGIN))) {
            return;
        }
        byte[] jpeg = SimulatedCamera.jpeg.bytes();
        ByteBuffer head = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
        head.putInt(jpeg.length).putInt(0).putInt(1).putInt(0);
        OutputStream out = socket.getOutputStream();
        while (simulator.isReachable()) {
            out.write(head.array());
            if (simulator.isCameraBroken()) {
                out.write(jpeg, 0, jpeg.length / 2);
                return;
            }
            out.write(jpeg);
            LockSupport.parkNanos(BETWEEN_PICTURES);
        }
    }

    /** Up to the zeros that fill its place. */
    private static String text(byte[] login, int from, int to) {
        byte[] place = Arrays.copyOfRange(login, from, to);
        return new String(place, StandardCharsets.US_ASCII).replace("\0", "");
    }
}
