package farm.gantry.edge.camera;

import farm.gantry.edge.http.Digest;
import farm.gantry.edge.refusal.Refusal;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A camera's film in H.264 over RTSP, on the very line on which it is asked for. */
public final class Rtsp implements Decoder.Footage {
    private static final int PACKET = '$';
    private static final int UNAUTHORIZED = 401;
    private static final int FINE = 200;
    private static final Pattern CHANNEL = Pattern.compile(".*interleaved=(\\d{1,3}).*");

    private final DataInputStream in;
    private final OutputStream out;
    private final Login login;
    private final AtomicInteger numbers = new AtomicInteger();
    private volatile @Nullable Digest digest;
    private volatile String film;
    private volatile String session = "";
    private volatile int channel;
    private volatile H264 pictures = new H264(List.of());

    /** Who asks for the film, where no one else may. */
    public record Login(String user, String password) {
        /** Without the password. */
        @Override
        public String toString() {
            return user;
        }
    }

    private Rtsp(Socket line, String address, Login login) throws IOException {
        this.in = new DataInputStream(new BufferedInputStream(line.getInputStream()));
        this.out = line.getOutputStream();
        this.film = address;
        this.login = login;
    }

    /** The film that the camera shows from now on. */
    public static Rtsp begin(Socket line, String address, Login login) throws IOException, Refusal {
        Rtsp rtsp = new Rtsp(line, address, login);
        rtsp.begin();
        return rtsp;
    }

    private void begin() throws IOException, Refusal {
        ask("OPTIONS", film, Map.of());
        RtspAnswer description = ask("DESCRIBE", film, Map.of("Accept", "application/sdp"));
        film = description.field("Content-Base", film);
        Sdp sdp = Sdp.of(description.body());
        pictures = new H264(sdp.parameters());
        RtspAnswer line = ask("SETUP", sdp.address(film), Map.of("Transport", "RTP/AVP/TCP;unicast;interleaved=0-1"));
        session = line.field("Session", "").replaceFirst(";.*", "");
        Matcher told = CHANNEL.matcher(line.field("Transport", ""));
        channel = told.matches() ? Integer.parseInt(told.group(1)) : 0;
        ask("PLAY", film, Map.of("Range", "npt=0.000-"));
    }

    /** Answered or not, the line is closed after it. */
    public void end() {
        try {
            say("TEARDOWN", film, Map.of());
        } catch (IOException e) {
            // Whoever is gone shows nothing any more.
        }
    }

    private RtspAnswer ask(String method, String address, Map<String, String> fields) throws IOException, Refusal {
        say(method, address, fields);
        RtspAnswer answer = answer();
        if (answer.status() == UNAUTHORIZED) {
            Digest challenge = Digest.of(answer.headers());
            boolean fresh = challenge != null && (digest == null || challenge.isStale());
            digest = challenge;
            if (fresh) {
                say(method, address, fields);
                answer = answer();
            }
        }
        if (answer.status() == UNAUTHORIZED) {
            throw new Refusal("the printer's camera does not accept the access code");
        }
        if (answer.status() != FINE) {
            throw new Refusal("the printer's camera answers with status " + answer.status());
        }
        return answer;
    }

    private void say(String method, String address, Map<String, String> fields) throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("CSeq", String.valueOf(numbers.incrementAndGet()));
        Digest challenge = digest;
        if (challenge != null) {
            all.put("Authorization", challenge.answer(login.user(), login.password(), method, address));
        }
        if (!session.isEmpty()) {
            all.put("Session", session);
        }
        all.putAll(fields);
        StringBuilder request = new StringBuilder(method + " " + address + " RTSP/1.0\r\n");
        all.forEach(
                (name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        out.write(request.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** A film that has begun may come before the answer that it has. */
    private RtspAnswer answer() throws IOException {
        while (true) {
            int first = in.readUnsignedByte();
            if (first == PACKET) {
                in.readUnsignedByte();
                in.skipNBytes(in.readUnsignedShort());
                continue;
            }
            RtspAnswer answer = RtspAnswer.read(first, in);
            if (answer.status() != 0) {
                return answer;
            }
        }
    }

    @Override
    public byte[] next() throws IOException {
        byte[] piece = {};
        while (piece.length == 0) {
            int first = in.readUnsignedByte();
            if (first == PACKET) {
                int on = in.readUnsignedByte();
                byte[] packet = new byte[in.readUnsignedShort()];
                in.readFully(packet);
                piece = on == channel ? pictures.unpack(packet) : piece;
            } else {
                RtspAnswer.read(first, in);
            }
        }
        return piece;
    }
}
