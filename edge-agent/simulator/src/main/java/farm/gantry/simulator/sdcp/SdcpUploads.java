package farm.gantry.simulator.sdcp;

import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.network.UploadForm;
import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import io.netty.channel.Channel;
import java.io.ByteArrayOutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Accepts uploads in consecutive pieces, verified by the whole file's size and MD5. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class SdcpUploads {
    private static final int MAX_PIECE = 1 << 20;
    private static final int WRONG_OFFSET = -2;
    private static final int UNKNOWN = -4;

    private final SdcpSimulator simulator;
    private final ConcurrentMap<String, ByteArrayOutputStream> begun = new ConcurrentHashMap<>();
    private volatile boolean cutting;

    SdcpUploads(SdcpSimulator simulator) {
        this.simulator = simulator;
    }

    void store(UploadForm piece, Channel channel) {
        long offset = Long.parseLong(piece.fields().getOrDefault("Offset", "-1"));
        if (piece.content().length > MAX_PIECE) {
            simulator.reboot();
            channel.close();
        } else if (offset > 0 && cutting) {
            cutting = false;
            channel.close();
        } else {
            int fault = store(piece, offset);
            HttpResponses.json(channel, 200, fault == 0 ? answer("000000", null) : answer("111111", fault));
        }
    }

    /** Returns 0, or the error code. */
    private int store(UploadForm piece, long offset) {
        String uuid = piece.fields().getOrDefault("Uuid", "");
        ByteArrayOutputStream whole = begun.computeIfAbsent(uuid, _ -> new ByteArrayOutputStream());
        if (whole.size() != offset) {
            return WRONG_OFFSET;
        }
        whole.writeBytes(piece.content());
        if (!String.valueOf(whole.size()).equals(piece.fields().get("TotalSize"))) {
            return 0;
        }
        abort(uuid);
        byte[] content = whole.toByteArray();
        if (!UploadForm.hash("MD5", content).equals(piece.fields().get("S-File-MD5"))) {
            return UNKNOWN;
        }
        try {
            simulator.printer().upload(GcodeFile.of(piece.fileName(), content));
            return 0;
        } catch (RpcException e) {
            return UNKNOWN;
        }
    }

    private static Map<String, @Nullable Object> answer(String code, @Nullable Integer fault) {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("code", code);
        answer.put("messages", fault == null ? null : List.of(Map.of("field", "common_field", "message", fault)));
        answer.put("data", fault == null ? Map.of() : null);
        answer.put("success", fault == null);
        return answer;
    }

    void abort(String uuid) {
        begun.remove(uuid);
    }

    /** Breaks the connection at the second piece of the next file. */
    void breakSecondPiece() {
        cutting = true;
    }
}
