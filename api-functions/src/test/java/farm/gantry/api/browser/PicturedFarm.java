package farm.gantry.api.browser;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.NotificationChannel;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.Printer;
import io.micronaut.json.tree.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A store with the data of a busy farm, for screenshots of the console. */
final class PicturedFarm {
    private static final List<String> COLORS = List.of("1B1B1B", "F2F2F2", "D4421E", "1F6FEB", "2DA44E", "E6B800");
    private static final List<String> MODELS = List.of("X1 Carbon", "Trident", "MK4S");
    private static final String NOWHERE = ", \"tags\": {\"user.tags\": \"nowhere\"}";

    private final SharedApi.Store store;
    private final FakeAgent fakeAgent;
    private final Client client;
    private final LampStore lampStore;

    PicturedFarm(SharedApi.Store store, FakeAgent fakeAgent) {
        this.store = store;
        this.fakeAgent = fakeAgent;
        this.client = fakeAgent.client();
        this.lampStore = new LampStore(store, client);
    }

    /** Returns a report of a printer's status; {@code members} are those of its state except status and connection. */
    private Map<String, Object> report(String printer, String status, String members) {
        String now = Instant.now().toString();
        return Map.of(
                "deviceId", fakeAgent.deviceOf(printer), "at", now, "state", tree("""
                {"connection": "online", "status": "%s", "at": "%s", %s}""".formatted(status, now, members)));
    }

    private static JsonNode tree(String json) {
        return Answer.tree(Client.utf8(json));
    }

    private void send(List<?> reports) {
        fakeAgent.exchange(List.of(), List.of(), reports);
    }

    private static String filament(int slot, String type, String color) {
        return "{\"amsIndex\":0,\"slotIndex\":%d,\"loaded\":true,\"materialType\":\"%s\",\"color\":\"%s\"}"
                .formatted(slot, type, color);
    }

    private static String job(String members, String file, int percent, int layers) {
        return """
                "job": {"fileName": "%s", "percent": %d, "currentLayer": %d, "totalLayers": %d, "elapsedSeconds": 600,
                 "remainingSeconds": %d%s}""".formatted(file, percent, percent * layers / 100, layers, 98 * (100 - percent), members);
    }

    /** Creates twenty-six printers in all states. */
    void fleet() {
        List<Object> reports = new ArrayList<>();
        List<String> dirty = new ArrayList<>();
        for (int i = 0; i < 26; i++) {
            String id = fakeAgent.printer(
                    "Printer %02d".formatted(i + 1),
                    ", \"vendorName\": \"V\", \"modelName\": \"%s\", \"tags\": [\"%s\"]"
                            .formatted(MODELS.get(i % 3), i % 2 == 0 ? "petg" : "front row"));
            List<String> slots = new ArrayList<>();
            for (int slot = 0; slot < (i % 3 == 0 ? 4 : 1); slot++) {
                slots.add(filament(slot, slot == 1 ? "PETG" : "PLA", COLORS.get((i + slot) % 6)));
            }
            String status = i < 13
                    ? "printing"
                    : i == 13 ? "error" : i == 14 ? "paused" : i == 15 ? "preparing" : i < 20 ? "finished" : "idle";
            String file = List.of("bracket_v4_plate_2.gcode", "lamp-shade-spiral.gcode.3mf", "hinge.gcode")
                    .get(i % 3);
            String errors = i == 13 ? """
                    {"code": "0300-8004", "message": "Filament ran out; load a new spool in slot A2 and resume"}""" : "";
            reports.add(report(id, status, """
                    "temperatures": {"nozzle": {"actual": 219.8, "target": 220}}, "filamentSlots": [%s], "errors": [%s]%s""".formatted(
                            String.join(",", slots), errors, i <= 15 ? "," + job("", file, i * 37 % 100, 312) : "")));
            if (i >= 16 && i < 20) {
                dirty.add(id);
            }
            if (i > 23) {
                client.patch("/v1/printers/enabled", "{\"ids\":[\"" + id + "\"],\"enabled\":false}");
            }
        }
        send(reports);
        client.patch(
                "/v1/printers/confirm-ready", "{\"ids\":[\"" + String.join("\",\"", dirty) + "\"],\"ready\":false}");
    }

    /** Creates waiting jobs, one of them for approval, and a failed one. */
    void queue() {
        String part = ReadyParts.uploaded(store, client);
        for (String label : List.of("order 1041", "order 1042", "spares", "fair")) {
            fakeAgent.jobOf(
                    part,
                    ", \"quantity\": %d, \"label\": \"%s\", \"priority\": %d%s"
                            .formatted(label.length(), label, label.equals("fair") ? 1000 : 100, NOWHERE));
        }
        String careful = fakeAgent.jobOf(part, ", \"label\": \"order 1040\"" + NOWHERE);
        String failed = fakeAgent.jobOf(part, ", \"label\": \"order 1039\"" + NOWHERE);
        Map<String, ?> mapping = Map.of("0", Map.of("amsIndex", 0, "slotIndex", 1));
        change(careful, "status", JobStatus.WAITING_FOR_APPROVAL);
        change(careful, "assignedPrinterId", fakeAgent.printer("Ada 1", ", \"enabled\": false"));
        change(careful, "estimatedSeconds", 5400);
        change(careful, "materialMapping", mapping);
        change(failed, "status", JobStatus.Failed);
        change(failed, "errorMessage", "The printer stopped: filament ran out in slot A2");
    }

    /** Creates a channel that works, and one that its service disabled. */
    void channels() {
        client.made("/v1/notification-channels", """
                {"name": "Shift phone", "kind": "ntfy", "settings": {"topic": "our-farm"}, "events": ["onJobFailed"]}""");
        String id = client.made("/v1/notification-channels", """
                {"name": "Workshop", "kind": "discord", "settings": {"url": "https://discord.com/api/webhooks/1/abc"},
                 "events": ["onJobFailed", "onPrinterOffline"], "printerTags": ["hall-2"], "enabled": false}""");
        fakeAgent.change(
                NotificationChannel.class,
                id,
                Map.of("lastError", "The service answered 410: the webhook is gone", "failureCount", 10));
    }

    private void change(String job, String column, Object value) {
        fakeAgent.change(PrintJob.class, job, Map.of(column, value));
    }

    /** Creates a project with parameters, one suitable printer and two unsuitable ones. */
    String projectWithParameters() {
        fakeAgent.printer("Ada 1", ", \"modelName\": \"Trident\", \"tags\": [\"petg\"]");
        String dirty = fakeAgent.printer("Bob 2", "");
        client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + dirty + "\"],\"ready\":false}");
        fakeAgent.change(Printer.class, fakeAgent.printer("Cleo 3", ""), Map.of("bedSize", new BedSize(9, 9, 9)));
        String part = ReadyParts.project(store, client, "gcode3mf", """
                , "parameters": [
                  {"name": "width", "type": "number", "default": 10, "min": 5, "max": 20, "group": "Size",
                   "description": "of the lid, in mm"},
                  {"name": "height", "type": "number", "default": 4, "group": "Size"},
                  {"name": "kind", "type": "string", "default": "flat", "group": "Look",
                   "options": [{"value": "flat"}, {"value": "deep", "label": "Deep"}]},
                  {"name": "lid", "type": "boolean", "default": true, "group": "Look"}]""");
        ReadyParts.change(store, part, "size", new BedSize(20, 20, 20));
        return part;
    }

    String printerWithSpool() {
        String id = fakeAgent.printer("Ada 1", ", \"modelName\": \"Trident\", \"tags\": [\"petg\"]");
        client.post(
                "/v1/macros", "{\"name\":\"Load PLA\",\"type\":\"generic\",\"gcode\":\"G28\",\"compatibilities\":[]}");
        assign(id, 1, spool("\"name\":\"Blue 7\",\"materialType\":\"PETG\",\"remainingGrams\":640"));
        return id;
    }

    private String spool(String members) {
        return client.made("/v1/materials/instances", "{" + members + "}");
    }

    private void assign(String printer, int slot, String spool) {
        client.patch("/v1/printer-slots/assign", """
                {"printerIds": ["%s"], "slots": [{"amsIndex": 0, "slotIndex": %d}], "instanceId": "%s"}""".formatted(printer, slot, spool));
    }

    void heat(String printer, double nozzle, double bed) {
        send(List.of(report(printer, "idle", """
                "temperatures": {"nozzle": {"actual": %s, "target": 220}, "bed": {"actual": %s, "target": 60}},
                "filamentSlots": [%s, %s], "errors": []""".formatted(
                        nozzle, bed, filament(0, "PLA", "D4421E"), filament(1, "PETG", "1F6FEB")))));
    }

    record Library(String solid, String layered, String sku) {}

    Library library() {
        for (String folder : List.of("Lamps", "Spare parts", "Hinges")) {
            client.made("/v1/folders", "{\"type\":\"part\",\"name\":\"" + folder + "\",\"parentId\":null}");
        }
        String material = material("Basic");
        List<String> names = List.of("bracket_v4", "lamp shade spiral", "hinge left", "hinge right", "knob M6", "vase");
        for (int i = 0; i < 24; i++) {
            String id = ReadyParts.insert(store, ReadyParts.estimate("PLA", 12 + i * 3.7));
            ReadyParts.change(store, id, "name", names.get(i % names.size()) + " " + i);
        }
        String solid = part("Twisted vase", "stl", TwistedVase.solid());
        String layered = part("Twisted vase, sliced", "gcode", TwistedVase.layers());
        ReadyParts.change(store, solid, "slicingEstimate", ReadyParts.estimate("PLA", 41.3));
        String choice = "{\"0\":[{\"materialId\":\"" + material + "\"}]}";
        client.patch("/v1/parts/" + solid, "{\"assignedMaterials\":" + choice + "}");
        String sku = lampStore.sku(
                "LAMP-1",
                LampStore.linked(solid, "shade", 1, ",\"materialAssignments\":" + choice),
                LampStore.linked(layered, "foot", 3, ""));
        String screws = client.made(
                "/v1/cost-components", "{\"name\":\"Screws\",\"type\":\"material\",\"unit\":\"piece\",\"rate\":5}");
        client.made(
                "/v1/sku-costs", "{\"skuId\":\"" + sku + "\",\"costComponentId\":\"" + screws + "\",\"quantity\":4}");
        return new Library(solid, layered, sku);
    }

    private String material(String name) {
        return client.made("/v1/materials", """
                {"name": "%s", "brand": "Polymaker", "type": "PLA", "tags": [], "pricePer1000g": 1990}""".formatted(name));
    }

    private String part(String name, String type, String content) {
        String file = new Uploads(client).put("vase." + type, content);
        String id = client.made("/v1/parts", """
                {"name": "%s", "type": "%s", "fileUris": ["%s"]}""".formatted(name, type, file));
        ReadyParts.change(store, id, "processingStatus", null);
        return id;
    }

    /** Creates nine orders of {@code LAMP-1}, some late, some with an unknown item; returns the first id. */
    String orders() {
        lampStore.subscribe();
        String first = "";
        for (int i = 0; i < 9; i++) {
            String id = order(
                    42 + i,
                    i * 20L - 30,
                    List.of("Ada Byron", "Grace Hopper", "Mary Jackson").get(i % 3),
                    LampStore.lamps(1 + i % 4)
                            + (i % 4 == 0 ? ",{\"externalSku\":\"NEVER-SEEN\",\"quantity\":2}" : ""));
            if (i % 2 == 0) {
                lampStore.print(id);
            }
            first = i == 0 ? id : first;
        }
        return first;
    }

    private String order(int number, long hours, String customer, String items) {
        return String.valueOf(lampStore
                .ordered("""
                {"order": {"orderNumber": "10%d", "price": 4990, "currency": "USD", "deadline": "%s", "note": "a present"},
                 "customer": {"name": "%s"}, "items": [%s]}""".formatted(number, Instant.now().plus(Duration.ofHours(hours)), customer, items))
                .at("order.id"));
    }

    /**
     * Creates orders with deadlines, spools that run low, working hours and rates, and two printing printers; returns
     * the last order's id.
     */
    String promises() {
        String bob = fakeAgent.printer("Bob 2", ", \"modelName\": \"Trident\"");
        String ada = fakeAgent.printer("Ada 1", ", \"modelName\": \"Trident\", \"hourlyRate\": 90");
        fakeAgent.printer("Cleo 3", ", \"enabled\": false");
        lampStore.settings("""
                {"deadlineFirst": true, "workingHours": {"shifts": [{"day": "monday", "from": "08:00", "to": "17:00"},
                 {"day": "wednesday", "from": "00:00", "to": "23:59"}, {"day": "friday", "from": "22:00", "to": "06:00"}],
                 "holidays": ["2026-12-25"], "minutesPerBed": 3, "minutesPerFilamentChange": 6, "people": 2},
                 "costRates": {"printerHourCents": 60, "energy": {"centsPerKwh": 31, "windows": [],
                 "models": {"*": {"heatingWatts": 350, "heatingSeconds": 240, "printingWatts": 110}}},
                 "labour": {"hourCents": 2400, "minutesPerBed": 2, "minutesPerOrder": 4}}}""");
        String material = material("Basic");
        List<String> colors = List.of("red", "blue", "green").stream()
                .map(color -> client.made("/v1/materials/variants", """
                        {"materialId": "%s", "name": "%s", "colors": []}""".formatted(material, color)))
                .toList();
        String grams = "\"variantId\":\"%s\",\"initialGrams\":1000,\"remainingGrams\":%d";
        String loaded = spool(grams.formatted(colors.getFirst(), 320));
        spool(grams.formatted(colors.get(1), 700));
        assign(ada, 0, loaded);
        assign(bob, 0, loaded);
        String part = ReadyParts.uploaded(store, client);
        ReadyParts.change(store, part, "slicingEstimate", ReadyParts.estimate("PLA", 120));
        lampStore.sku("LAMP-1", LampStore.linked(part, "vase", 1, ""));
        String order = "";
        for (int i = 0; i < 4; i++) {
            order = order(41 + i, 3 + 9 * i, "Ada", LampStore.lamps(2 + i));
            lampStore.print(order);
        }
        String wish = ", \"quantity\": %d, \"materials\": {\"0\": [{\"variantId\": \"%s\"}]}";
        fakeAgent.jobOf(part, wish.formatted(3, colors.get(1)));
        fakeAgent.jobOf(part, wish.formatted(2, colors.getLast()));
        client.get("/v1/print-jobs?fields=id").each("id").forEach(job -> change(job, "estimatedSeconds", 9800L));
        fakeAgent.round();
        int percent = 20;
        for (String printer : List.of(ada, bob)) {
            String job = client.get("/v1/print-jobs?status=sending-to-printer&assignedPrinterId=" + printer)
                    .each("id")
                    .getFirst();
            fakeAgent.happened(printer, "jobStarted", job);
            percent += 23;
            send(List.of(report(printer, "printing", """
                    "temperatures": {"nozzle": {"actual": 219, "target": 220}}, "filamentSlots": [%s], "errors": [], %s""".formatted(
                    filament(0, "PLA", "D4421E"), job(", \"jobId\": \"" + job + "\"", "vase.gcode", percent, 300)))));
        }
        return order;
    }

    /** Creates a history of prints whose failures have stopped a printer, a part and the queue. */
    void failures() {
        String part = ReadyParts.uploaded(store, client);
        String printer = "";
        for (int i = 0; i < 12; i++) {
            printer = i % 4 == 0 ? fakeAgent.printer("Shelf 1, place " + (i / 4 + 1), "") : printer;
            String job = fakeAgent.jobOf(part, "");
            fakeAgent.confirm(printer);
            fakeAgent.round();
            fakeAgent.happened(printer, "jobStarted", job);
            fakeAgent.happened(printer, i % 5 == 2 ? "jobFailed" : "jobCompleted", job);
            if (i == 3) {
                client.patch("/v1/print-jobs/" + job + "/quality", "{\"good\":3,\"rejected\":1,\"reason\":\"Warped\"}");
            }
        }
        client.patch("/v1/printers/quarantine", "{\"ids\":[\"" + printer + "\"],\"quarantined\":true}");
        client.patch(
                "/v1/parts/hold", "{\"ids\":[\"" + part + "\"],\"held\":true,\"reason\":\"It failed on 2 printers.\"}");
        client.patch("/v1/queue", "{\"paused\":true,\"reason\":\"2 of the last hour's 3 prints failed.\"}");
    }

    /** Creates ten shelves of ten printers, most of them printing; returns their ids. */
    List<String> hundredPrinters() {
        List<String> printers = new ArrayList<>();
        List<Object> reports = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            printers.add(fakeAgent.printer("Shelf %d, place %d".formatted(i / 10 + 1, i % 10 + 1), ""));
            String status = i % 33 == 32 ? "error" : i % 25 == 24 ? "paused" : i % 9 == 8 ? "idle" : "printing";
            reports.add(report(
                    printers.getLast(),
                    status,
                    "\"temperatures\": {}, \"filamentSlots\": [], \"errors\": []"
                            + (status.equals("idle")
                                    ? ""
                                    : "," + job("", "lamp-shade-%d.gcode".formatted(i % 7), i, 300))));
        }
        send(reports);
        return printers;
    }
}
