package farm.gantry.simulator.bambu;

import farm.gantry.simulator.camera.SimulatedCamera;
import farm.gantry.simulator.network.DeviceCertificate;
import farm.gantry.simulator.network.UploadForm;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;

/** Streams the camera's video over one RTSP connection, after digest authentication with the access code. */
record BambuRtspSession(BambuSimulator simulator, Socket client) {
    private static final String REALM = "Simulated";
    private static final String NONCE = "5ccc069c403ebaf9f0171e9517f40e41";
    private static final Pattern FIELD = Pattern.compile("(\\w+)=\"([^\"]*)\"");
    /**
     * The maximum payload in bytes; smaller than that of a real packet, so that a short video has units in several
     * packets.
     */
    private static final int PACKET = 300;

    private static final long BETWEEN_UNITS = 50_000_000;
    /** The RTP timestamp step between two units, at 90 kHz. */
    private static final int TICKS_BETWEEN_UNITS = 4_500;

    private static final int FIRST = 0x80;
    private static final int LAST = 0x40;
    private static final int SPS = 7;
    private static final int PPS = 8;
    private static final int IDR = 5;

    private record Request(String method, String address, Map<String, String> fields) {}

    void run() throws IOException {
        SSLSocket socket = DeviceCertificate.accept(simulator.certificate().sslContext(), client);
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        OutputStream out = socket.getOutputStream();
        for (Request request = read(in); !request.method().equals("TEARDOWN"); request = read(in)) {
            if (!request.method().equals("OPTIONS") && !accepts(request)) {
                String challenge = "Digest realm=\"" + REALM + "\", nonce=\"" + NONCE + "\"";
                answer(out, request, "401 Unauthorized", Map.of("WWW-Authenticate", challenge), "");
                continue;
            }
            switch (request.method()) {
                case "DESCRIBE" ->
                    answer(out, request, "200 OK", Map.of("Content-Base", request.address() + "/"), description());
                case "SETUP" ->
                    answer(
                            out,
                            request,
                            "200 OK",
                            Map.of(
                                    "Session",
                                    "66334873;timeout=60",
                                    "Transport",
                                    request.fields().get("transport")),
                            "");
                case "PLAY" -> {
                    answer(out, request, "200 OK", Map.of("Session", "66334873"), "");
                    stream(out);
                }
                default -> answer(out, request, "200 OK", Map.of("Public", "DESCRIBE, SETUP, PLAY, TEARDOWN"), "");
            }
        }
    }

    private static Request read(BufferedReader in) throws IOException {
        String[] head = line(in).split(" ", 3);
        Map<String, String> fields = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String[] field = line.split(":", 2);
            fields.put(field[0].toLowerCase(Locale.ROOT), field[1].strip());
        }
        return new Request(head[0], head[1], fields);
    }

    private static String line(BufferedReader in) throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new IOException("the client has disconnected");
        }
        return line;
    }

    private boolean accepts(Request request) {
        Map<String, String> credentials = new TreeMap<>();
        Matcher fields = FIELD.matcher(request.fields().getOrDefault("authorization", ""));
        while (fields.find()) {
            credentials.put(fields.group(1), fields.group(2));
        }
        String secret = md5("bblp:" + REALM + ":" + simulator.accessCode());
        String requestHash = md5(request.method() + ":" + request.address());
        return md5(secret + ":" + NONCE + ":" + requestHash).equals(credentials.get("response"))
                && request.address().equals(credentials.get("uri"));
    }

    private static String md5(String text) {
        return UploadForm.hash("MD5", text.getBytes(StandardCharsets.UTF_8));
    }

    private static void answer(
            OutputStream out, Request request, String status, Map<String, String> fields, String body)
            throws IOException {
        StringBuilder answer = new StringBuilder("RTSP/1.0 " + status + "\r\nCSeq: ")
                .append(request.fields().get("cseq"))
                .append("\r\n");
        fields.forEach(
                (name, value) -> answer.append(name).append(": ").append(value).append("\r\n"));
        answer.append("Content-Length: ")
                .append(body.length())
                .append("\r\n\r\n")
                .append(body);
        out.write(answer.toString().getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static String description() {
        String parameters = String.join(
                ",",
                nalUnits().stream()
                        .filter(unit -> nalType(unit) == SPS || nalType(unit) == PPS)
                        .limit(2)
                        .map(Base64.getEncoder()::encodeToString)
                        .toList());
        return String.join(
                "\r\n",
                "v=0",
                "s=Simulated",
                "a=control:*",
                "m=video 0 RTP/AVP 96",
                "a=rtpmap:96 H264/90000",
                "a=fmtp:96 packetization-mode=1;sprop-parameter-sets=" + parameters,
                "a=control:track1",
                "");
    }

    /** Returns the NAL units of the clip, without start codes. */
    private static List<byte[]> nalUnits() {
        String clip = new String(SimulatedCamera.H264.bytes(), StandardCharsets.ISO_8859_1);
        List<byte[]> units = new ArrayList<>();
        for (String unit : clip.split("\0?\0\0\1", -1)) {
            if (!unit.isEmpty()) {
                units.add(unit.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return units;
    }

    private static int nalType(byte[] unit) {
        return unit[0] & 0x1F;
    }

    /** Repeats the images, without the parameter sets of the description, until the client disconnects. */
    private void stream(OutputStream out) throws IOException {
        List<byte[]> pictures =
                nalUnits().stream().filter(unit -> nalType(unit) <= IDR).toList();
        int number = 0;
        int timestamp = 0;
        while (simulator.isReachable()) {
            for (byte[] unit : pictures) {
                for (byte[] payload : splitIntoPayloads(unit)) {
                    out.write(rtpPacket(payload, number, timestamp));
                    number++;
                }
                timestamp += TICKS_BETWEEN_UNITS;
                out.flush();
                LockSupport.parkNanos(BETWEEN_UNITS);
            }
        }
    }

    /** Returns a small unit unchanged, a large one in fragments (FU-A). */
    private static List<byte[]> splitIntoPayloads(byte[] unit) {
        if (unit.length <= PACKET) {
            return List.of(unit);
        }
        List<byte[]> parts = new ArrayList<>();
        for (int at = 1; at < unit.length; at += PACKET) {
            int length = Math.min(PACKET, unit.length - at);
            ByteArrayOutputStream part = new ByteArrayOutputStream();
            part.write((unit[0] & 0xE0) | 28);
            part.write(nalType(unit) | (at == 1 ? FIRST : 0) | (at + length == unit.length ? LAST : 0));
            part.write(unit, at, length);
            parts.add(part.toByteArray());
        }
        return parts;
    }

    private static byte[] rtpPacket(byte[] payload, int number, int timestamp) {
        ByteBuffer packet = ByteBuffer.allocate(16 + payload.length);
        packet.put((byte) '$').put((byte) 0).putShort((short) (12 + payload.length));
        packet.put((byte) 0x80)
                .put((byte) 96)
                .putShort((short) number)
                .putInt(timestamp)
                .putInt(1);
        return packet.put(payload).array();
    }
}
