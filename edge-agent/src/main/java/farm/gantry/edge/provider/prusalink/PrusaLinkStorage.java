package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The storage for uploads: {@code usb} on the firmware, {@code local} on a Raspberry Pi. */
record PrusaLinkStorage(String folder) {

    /** The firmware reports one storage, a Raspberry Pi a list. */
    static PrusaLinkStorage of(Map<String, Object> status) throws Refusal {
        Object reported = status.get("storage");
        List<?> storages = reported instanceof List<?> list ? list : List.of(Tree.object(reported));
        return storages.stream()
                .filter(storage -> !Tree.flag(storage, "read_only"))
                .map(storage -> Tree.text(storage, "path"))
                .filter(path -> path != null && !path.isBlank())
                .findFirst()
                .map(path -> new PrusaLinkStorage(path.replace("/", "")))
                .orElseThrow(() -> new Refusal("the printer has no storage to write to: is a USB drive in it?"));
    }

    String path(String fileName) {
        return "/api/v1/files/" + folder + "/" + URLEncoder.encode(fileName, StandardCharsets.UTF_8);
    }

    /** A Raspberry Pi fails on any other content type. */
    String contentType() {
        return folder.equals("local") ? "text/x.gcode" : "application/octet-stream";
    }
}
