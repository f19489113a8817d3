package farm.gantry.api.printhost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.Sha256;
import farm.gantry.api.database.Database;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.KeptConnection;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.api.part.PartIngest;
import farm.gantry.file.FileUri;
import farm.gantry.part.PartParameter;
import farm.gantry.part.Processing;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.wire.StageReport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests uploads with the requests that PrusaSlicer, OrcaSlicer and Moonraker clients send. */
final class PrintHostTest {
    private static final String BOUNDARY = "------------------------0d3a6b1c9f2e4875";

    private static final int SLICERS = 2;

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());
    private final FakeAgent agent = new FakeAgent(store, new Socket());
    private final String gcode = "; printed " + Id.next() + "\nG28\nG1 X10 Y10 E1\n";

    /** Sends a request with the headers that libcurl adds in a slicer. */
    private Answer send(String method, String path, byte[] body, String... headers) throws IOException {
        try (KeptConnection connection = new KeptConnection()) {
            String[] head = {
                method + " /print-hosts/" + path + " HTTP/1.1",
                "Host: farm",
                "User-Agent: OrcaSlicer/2.3.1",
                "Accept: */*",
                "X-Api-Key: " + store.key()
            };
            String[] all = Arrays.copyOf(head, head.length + headers.length);
            System.arraycopy(headers, 0, all, head.length, headers.length);
            return connection.send(body, all);
        }
    }

    private Answer sendForm(String path, byte[] form) throws IOException {
        return send("POST", path, form, "Content-Type: multipart/form-data; boundary=" + BOUNDARY);
    }

    /** Returns the form that a slicer sends: its text fields first, then the file. */
    private static byte[] form(List<Map.Entry<String, String>> fields, String fileName, String content) {
        StringBuilder form = new StringBuilder();
        fields.forEach(field -> form.append("--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
                .formatted(BOUNDARY, field.getKey(), field.getValue())));
        form.append(
                "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\nContent-Type: application/octet-stream\r\n\r\n%s\r\n--%s--\r\n"
                        .formatted(BOUNDARY, fileName, content, BOUNDARY));
        return Client.utf8(form.toString());
    }

    private Answer parts() {
        return client.get("/v1/parts?fields=id,name,folderId,processing");
    }

    private Answer jobs() {
        return client.get("/v1/print-jobs?fields=id,partName,requiredPrinterTags");
    }

    /** Ends the ingest of the only part, as the worker's reports do. */
    private void finishReading() {
        finishReading(StageReport.Findings.ofEstimate(ReadyParts.estimate("PLA", 40)));
    }

    private void finishReading(StageReport.Findings findings) {
        for (StageKey key : StageKey.values()) {
            report(new Processing.Stage(key, StageStatus.done, 1, null), findings);
        }
    }

    private void failReading() {
        report(new Processing.Stage(StageKey.fetch, StageStatus.failed, 1, "it ends early"), null);
    }

    private void report(Processing.Stage stage, StageReport.@Nullable Findings findings) {
        Answer part = parts();
        SharedApi.bean(PartIngest.class)
                .apply(List.of(new StageReport(
                        store.id().value(),
                        String.valueOf(part.at("[0].id")),
                        String.valueOf(part.at("[0].processing.workflowKey")),
                        stage,
                        findings)));
    }

    /** Sends a file to be printed as soon as it is read. */
    private void uploadAndPrint() throws IOException {
        Answer stored = sendForm(
                "any/api/files/local",
                form(List.of(Map.entry("print", "true"), Map.entry("path", "")), "vase.gcode", gcode));
        assertThat(stored.at("message"))
                .isEqualTo("Added to the library. The print is queued when the file has been read.");
    }

    /** Gives the only part another file. */
    private void replaceFile() {
        String file = new Uploads(client).put("other.gcode", "; other\n" + gcode);
        Answer replaced = client.patch("/v1/parts/" + parts().at("[0].id"), "{\"fileUris\":[\"" + file + "\"]}");
        assertThat(replaced.status()).as(replaced.text()).isEqualTo(200);
    }

    private List<String> warnings() {
        return parts().each("processing.warnings");
    }

    /** Subscribes a webhook, which is disabled so that its deliveries are held, to the ends of ingests. */
    private void holdEvents() {
        client.post(
                "/v1/settings/notifications",
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"https://receiver.example\",\"apiKey\":\""
                        + "k".repeat(32) + "\"}}");
        client.patch(
                "/v1/settings/notifications/webhook/events",
                "{\"onPartProcessed\":true,\"onPartProcessingFailed\":true}");
        client.patch("/v1/settings/notifications/webhook", "{\"enabled\":false}");
    }

    private List<String> reasonsOf(String event) {
        return client.get("/v1/settings/notifications/webhook/deliveries?event=" + event)
                .each("body.data.reason");
    }

    @Test
    void versionIsWhatOctoPrintAndPrusaLinkClientsAccept() throws IOException {
        Answer version = send("GET", "any/api/version", new byte[0]);
        assertThat(version.status()).as(version.text()).isEqualTo(200);
        assertThat(String.valueOf(version.at("text"))).startsWith("OctoPrint");
        assertThat(version.at("api")).isEqualTo("0.1");
        assertThat(version.at("capabilities.upload-by-put")).isEqualTo(true);
        Answer storage = send("GET", "any/api/v1/storage", new byte[0], "Accept-Language: en");
        assertThat(storage.at("storage_list[0].path")).isEqualTo("/local");
        assertThat(storage.at("storage_list[0].read_only")).isEqualTo(false);
        Answer moonraker = send("GET", "any/server/info", new byte[0]);
        assertThat(moonraker.at("result.klippy_state")).isEqualTo("ready");
        assertThat(send("GET", "any/printer/info", new byte[0]).at("result.state"))
                .isEqualTo("ready");
    }

    @Test
    void uploadToOctoPrintAddsTheFileToItsFolder() throws IOException {
        Answer stored = sendForm(
                "any/api/files/local",
                form(List.of(Map.entry("print", "false"), Map.entry("path", "spares/left")), "Hülse 2.gcode", gcode));
        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        assertThat(stored.at("message")).isEqualTo("Added to the library.");
        assertThat(parts().each("name")).containsExactly("Hülse 2.gcode");
        Answer folders = client.get("/v1/folders?sort=createdAt,id");
        assertThat(folders.each("name")).containsExactly("spares", "left");
        assertThat(parts().at("[0].folderId")).isEqualTo(folders.at("[1].id"));
        finishReading();
        assertThat(jobs().each("id")).isEmpty();
    }

    @Test
    void uploadAndPrintQueuesOneJobWhenTheFileHasBeenRead() throws IOException {
        Answer stored = sendForm(
                "any/api/files/local",
                form(List.of(Map.entry("print", "true"), Map.entry("path", "")), "vase.gcode", gcode));
        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        assertThat(jobs().each("id")).isEmpty();
        finishReading();
        assertThat(jobs().each("partName")).containsExactly("vase.gcode");
    }

    @Test
    void printOfAnUnreadableFileIsCancelled() throws IOException {
        holdEvents();
        uploadAndPrint();
        failReading();
        assertThat(warnings()).singleElement().asString().contains("was cancelled, because the file could not be read");
        assertThat(reasonsOf("onPartProcessingFailed"))
                .singleElement()
                .asString()
                .startsWith("The print that a slicer asked for was cancelled");
        replaceFile();
        finishReading();
        assertThat(jobs().each("id")).isEmpty();
        assertThat(warnings()).containsExactly("(absent)");
    }

    @Test
    void printOfAFileThatWasReplacedWhileItWasReadIsCancelled() throws IOException {
        uploadAndPrint();
        replaceFile();
        finishReading();
        assertThat(jobs().each("id")).isEmpty();
        assertThat(warnings()).singleElement().asString().contains("because the file was replaced");
    }

    @Test
    void printThatCannotBeQueuedIsToldWithItsReason() throws IOException {
        holdEvents();
        uploadAndPrint();
        PartParameter narrow = RecordBuilder.of(PartParameter.class)
                .with(PartParameter::name, "width")
                .with(PartParameter::type, PartParameter.Type.number)
                .with(PartParameter::defaultValue, 5)
                .with(PartParameter::min, 10.0)
                .build();
        finishReading(StageReport.Findings.ofFile(null, null, null, List.of(narrow), null, null));
        assertThat(jobs().each("id")).isEmpty();
        assertThat(client.get("/v1/parts").each("processingStatus"))
                .as("it was read")
                .containsExactly("null");
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("could not be queued")
                .contains("width");
        assertThat(reasonsOf("onPartProcessed")).singleElement().asString().contains("could not be queued", "width");
    }

    /** The result of a worker is redelivered if applying it throws. */
    @Test
    void printIsQueuedAfterAnOutageWhenTheResultIsRedelivered() throws Exception {
        uploadAndPrint();
        String name = "farm.\"outage" + store.id().value() + "\"";
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement statement = owner.createStatement()) {
            statement.execute("create function " + name + "() returns trigger language plpgsql as"
                    + " 'begin raise exception ''too many connections'' using errcode = ''53300''; end'");
            statement.execute(
                    "create trigger outage before insert on farm.\"partBuild\" for each row when (new.\"storeId\" = '"
                            + store.id().value() + "') execute function " + name + "()");
            try {
                assertThatThrownBy(this::finishReading).matches(Database::isOutage);
            } finally {
                statement.execute("drop function " + name + " cascade");
            }
        }
        assertThat(client.get("/v1/parts").each("processingStatus")).containsExactly("processing");
        finishReading();
        assertThat(jobs().each("partName")).containsExactly("vase.gcode");
        assertThat(warnings()).containsExactly("(absent)");
    }

    /** Sends a file that is read already, and returns what the slicer shows. */
    private String printAgain(String target) throws IOException {
        Answer queued = sendForm(
                target + "/api/files/local",
                form(List.of(Map.entry("print", "true"), Map.entry("path", "")), "vase.gcode", gcode));
        assertThat(queued.status()).as(queued.text()).isEqualTo(201);
        return String.valueOf(queued.at("message"));
    }

    /** Sets the store's time zone to one in which it is noon, so that a short print ends today. */
    private ZoneId setNoon() {
        int hours = 12 - Instant.now().atZone(ZoneOffset.UTC).getHour();
        String zone = "Etc/GMT" + (hours < 0 ? "+" : "-") + Math.abs(hours);
        Answer set = client.patch("/v1/settings/store", "{\"timezone\":\"" + zone + "\"}");
        assertThat(set.status()).as(set.text()).isEqualTo(200);
        return ZoneId.of(zone);
    }

    private Instant previewedFinish() {
        Answer preview = client.post(
                "/v2/builds/preview",
                "{\"promise\":true,\"parts\":[{\"partId\":\"" + parts().at("[0].id") + "\",\"quantity\":1}]}");
        return Instant.parse(String.valueOf(preview.at("summary.promisedAt")));
    }

    @Test
    void answerSaysWhenAndWhereThePrintIsLikelyDone() throws IOException {
        ZoneId zone = setNoon();
        agent.printer("Shelf 3", ",\"modelName\":\"Voron 2.4\"");
        sendForm("any/api/files/local", form(List.of(Map.entry("print", "false")), "vase.gcode", gcode));
        finishReading();
        Instant finish = previewedFinish();
        DateTimeFormatter time = DateTimeFormatter.ofPattern("HH:mm").withZone(zone);
        assertThat(printAgain("any"))
                .as("a minute may begin in between")
                .isIn(
                        "Queued for printing. It will likely be done at " + time.format(finish) + " on Voron 2.4.",
                        "Queued for printing. It will likely be done at " + time.format(finish.plusSeconds(60))
                                + " on Voron 2.4.");
        assertThat(printAgain("printer-Shelf%203")).endsWith(" on Shelf 3.");
    }

    @Test
    void answerNamesTheDayOfALongPrint() throws IOException {
        ZoneId zone = setNoon();
        agent.printer("Shelf 3", ",\"modelName\":\"Voron 2.4\"");
        sendForm("any/api/files/local", form(List.of(Map.entry("print", "false")), "vase.gcode", gcode));
        finishReading(StageReport.Findings.ofEstimate(RecordBuilder.copyOf(ReadyParts.estimate("PLA", 40))
                .with(SlicingEstimate::estimatedPrintTimeSeconds, 2L * 24 * 3600)
                .build()));
        String day = DateTimeFormatter.ofPattern("d MMMM", Locale.ENGLISH)
                .format(previewedFinish().atZone(zone));
        assertThat(printAgain("any")).startsWith("Queued for printing. It will likely be done on " + day + " at ");
    }

    @Test
    void answerNamesNoTimeWhileTheQueueIsPausedOrApprovalIsRequired() throws IOException {
        agent.printer("Shelf 3", "");
        sendForm("any/api/files/local", form(List.of(Map.entry("print", "false")), "vase.gcode", gcode));
        finishReading();
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        assertThat(printAgain("any")).isEqualTo("Queued for printing. It is waiting for approval.");
        client.patch("/v1/settings/store", "{\"requireApproval\":false}");
        assertThat(printAgain("any")).contains("It will likely be done");
        assertThat(client.patch("/v1/queue", "{\"paused\":true}").status()).isEqualTo(200);
        assertThat(printAgain("any")).isEqualTo("Queued for printing.");
    }

    @Test
    void fileThatWasSentBeforeIsTheSamePart() throws IOException {
        byte[] form = form(List.of(Map.entry("print", "true"), Map.entry("path", "")), "vase.gcode", gcode);
        sendForm("any/api/files/local", form);
        finishReading();
        Answer again = sendForm("any/api/files/local", form);
        assertThat(again.at("message")).isEqualTo("Queued for printing.");
        assertThat(parts().each("id")).hasSize(1);
        assertThat(jobs().each("id")).hasSize(2);
        FileStorage files = SharedApi.bean(FileStorage.class);
        List<String> owners = files.listOwners(store.id().value());
        assertThat(owners).as("only the part keeps files").hasSize(1);
        assertThat(files.list(store.id().value())).extracting(FileUri::area).containsOnly(FileUri.Area.files);
        assertThat(files.listEntries(store.id().value(), owners.getFirst(), ""))
                .filteredOn(Id::isValid)
                .as("one upload")
                .hasSize(1);
    }

    @Test
    void jobIsForThePrintersOfItsTarget() throws IOException {
        String printer = agent.printer("Shelf 3", ",\"tags\":[\"abs\"],\"modelName\":\"Voron 2.4\"");
        byte[] form = form(List.of(Map.entry("print", "true")), "vase.gcode", gcode);
        sendForm("any/api/files/local", form);
        finishReading();
        sendForm("printer-Shelf%203/api/files/local", form);
        sendForm("tag-abs/api/files/local", form);
        sendForm("model-voron%202.4/api/files/local", form);
        assertThat(jobs().each("requiredPrinterTags"))
                .satisfiesExactlyInAnyOrder(
                        tags -> assertThat(tags).isIn("{}", "null"),
                        tags -> assertThat(tags).contains("printer.id").contains(printer),
                        tags -> assertThat(tags).contains("user.tags").contains("=abs"),
                        tags -> assertThat(tags).contains("printer.modelName").contains("=Voron 2.4"));
    }

    @Test
    void uploadToPrusaLinkTakesTheNameFromThePath() throws IOException {
        Answer stored = send(
                "PUT",
                "any/api/v1/files/local/spares/Hinge%20left.bgcode",
                Client.utf8(gcode),
                "Content-Type: text/x.gcode",
                "Overwrite: ?1",
                "Print-After-Upload: ?1");
        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        assertThat(parts().each("name")).containsExactly("Hinge left.bgcode");
        assertThat(client.get("/v1/folders").each("name")).containsExactly("spares");
        finishReading();
        assertThat(jobs().each("id")).hasSize(1);
    }

    @Test
    void uploadToMoonrakerSaysWhatItStarted() throws IOException {
        Answer stored = sendForm(
                "any/server/files/upload",
                form(List.of(Map.entry("root", "gcodes"), Map.entry("print", "true")), "vase.gcode", gcode));
        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        assertThat(stored.at("item.path")).isEqualTo("vase.gcode");
        assertThat(stored.at("print_started")).isEqualTo(true);
        finishReading();
        assertThat(jobs().each("partName")).containsExactly("vase.gcode");
    }

    /** The requests by which slicers upload a file, without the lines that all have and those about the body's length. */
    private static List<String> uploads() {
        return List.of(
                "POST /print-hosts/any/api/files/local HTTP/1.1\r\nContent-Type: multipart/form-data; boundary="
                        + BOUNDARY,
                "PUT /print-hosts/any/api/v1/files/local/vase.gcode HTTP/1.1\r\nContent-Type: text/x.gcode",
                "POST /print-hosts/any/server/files/upload HTTP/1.1\r\nContent-Type: multipart/form-data; boundary="
                        + BOUNDARY);
    }

    private byte[] bodyOf(String upload) {
        return upload.startsWith("PUT") ? Client.utf8(gcode) : form(List.of(), "vase.gcode", gcode);
    }

    private byte[] headOf(String upload, String length) {
        return Client.utf8(upload + "\r\nHost: farm\r\nX-Api-Key: " + store.key() + "\r\n" + length + "\r\n\r\n");
    }

    private void assertFileIsStored() throws IOException {
        assertThat(parts().each("processing.fileHash")).containsExactly(Sha256.of(Client.utf8(gcode)));
    }

    /** libcurl waits a second for this response, and its older versions wait without a limit. */
    @ParameterizedTest
    @MethodSource("uploads")
    void bodyIsSentAfterTheServerContinues(String upload) throws IOException {
        byte[] body = bodyOf(upload);
        try (KeptConnection connection = new KeptConnection()) {
            connection.write(headOf(upload, "Expect: 100-continue\r\nContent-Length: " + body.length));
            assertThat(connection.answer().status()).isEqualTo(100);
            connection.write(body);
            assertThat(connection.answer().status()).isEqualTo(201);
        }
        assertFileIsStored();
    }

    @ParameterizedTest
    @MethodSource("uploads")
    void chunkedBodyIsAccepted(String upload) throws IOException {
        byte[] body = bodyOf(upload);
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.write(headOf(upload, "Transfer-Encoding: chunked"));
        for (int start = 0; start < body.length; start += 20) {
            int length = Math.min(20, body.length - start);
            request.write(Client.utf8(Integer.toHexString(length) + "\r\n"));
            request.write(body, start, length);
            request.write(Client.utf8("\r\n"));
        }
        request.write(Client.utf8("0\r\n\r\n"));
        try (KeptConnection connection = new KeptConnection()) {
            connection.write(request.toByteArray());
            assertThat(connection.answer().status()).isEqualTo(201);
        }
        assertFileIsStored();
    }

    @Test
    void formThatEndsEarlyLeavesNothing() throws IOException {
        byte[] form = form(List.of(Map.entry("print", "true")), "vase.gcode", gcode);
        Answer broken = sendForm("any/api/files/local", Arrays.copyOf(form, form.length - 60));
        assertThat(broken.status()).as(broken.text()).isEqualTo(400);
        assertThat(parts().each("id")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"printer-nobody", "tag-none", "model-none", "else"})
    void unknownTargetIsNotFound(String target) throws IOException {
        assertThat(send("GET", target + "/api/version", new byte[0]).status()).isEqualTo(404);
        assertThat(sendForm(target + "/api/files/local", form(List.of(), "vase.gcode", gcode))
                        .status())
                .isEqualTo(404);
        assertThat(parts().each("id")).isEmpty();
    }

    @Test
    void nameOfSeveralPrintersIsRejected() throws IOException {
        String one = agent.printer("twin", "");
        String other = agent.printer("twin", "");
        Answer rejected = sendForm(
                "printer-twin/api/files/local", form(List.of(Map.entry("print", "true")), "vase.gcode", gcode));
        assertThat(rejected.status()).isEqualTo(409);
        assertThat(rejected.text()).containsAnyOf("printer-" + one, "printer-" + other);
        assertThat(parts().each("id")).isEmpty();
        sendForm(
                "printer-" + other + "/api/files/local",
                form(List.of(Map.entry("print", "true")), "vase.gcode", gcode));
        finishReading();
        assertThat(jobs().each("requiredPrinterTags"))
                .singleElement()
                .satisfies(tags -> assertThat(tags).contains("printer.id").contains(other));
    }

    @Test
    void fileOfAnUnknownTypeIsRejected() throws IOException {
        Answer rejected = sendForm("any/api/files/local", form(List.of(), "vase.txt", gcode));
        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.text()).contains("vase.txt", ".gcode");
    }

    @Test
    void formWithoutAFileIsRejected() throws IOException {
        String empty = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"print\"\r\n\r\ntrue\r\n--"
                + BOUNDARY + "--\r\n";
        Answer rejected = sendForm("any/api/files/local", Client.utf8(empty));
        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.at("details[0].path")).isEqualTo("file");
    }

    private String keyWithoutPrinting() {
        Answer made =
                client.post("/v1/api-keys", "{\"name\":\"library\",\"permissions\":[\"part.view\",\"part.create\"]}");
        return String.valueOf(made.at("key"));
    }

    private void assertNothingIsStored() {
        assertThat(SharedApi.bean(FileStorage.class).list(store.id().value())).isEmpty();
        assertThat(parts().each("id")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /print-hosts/any/api/files/local",
                "POST /print-hosts/any/server/files/upload",
                "PUT /print-hosts/any/api/v1/files/local/a.gcode"
            })
    void uploadThatMayNotPrintIsRejectedBeforeItsFileIsSent(String request) throws IOException {
        String form = new String(form(List.of(Map.entry("print", "true")), "a.gcode", gcode), StandardCharsets.UTF_8);
        String start = request.startsWith("PUT") ? "" : form.substring(0, form.indexOf(gcode));
        try (KeptConnection connection = new KeptConnection()) {
            connection.write(Client.utf8(String.join(
                    "\r\n",
                    request + " HTTP/1.1",
                    "Host: farm",
                    "X-Api-Key: " + keyWithoutPrinting(),
                    "Content-Type: multipart/form-data; boundary=" + BOUNDARY,
                    "Print-After-Upload: ?1",
                    "Content-Length: 1000000",
                    "",
                    "")));
            connection.write(Client.utf8(start));
            assertThat(connection.answer().status()).isEqualTo(403);
        }
        assertNothingIsStored();
    }

    @Test
    void uploadThatIsRejectedAfterItsFileLeavesNothing() throws IOException {
        String file =
                "--%1$s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.gcode\"\r\n\r\n%2$s\r\n--%1$s"
                        .formatted(BOUNDARY, gcode);
        String print = "\r\nContent-Disposition: form-data; name=\"print\"\r\n\r\ntrue\r\n--" + BOUNDARY + "--\r\n";
        try (KeptConnection connection = new KeptConnection()) {
            Answer rejected = connection.send(
                    Client.utf8(file + print),
                    "POST /print-hosts/any/api/files/local HTTP/1.1",
                    "Host: farm",
                    "X-Api-Key: " + keyWithoutPrinting(),
                    "Content-Type: multipart/form-data; boundary=" + BOUNDARY);
            assertThat(rejected.status()).as(rejected.text()).isEqualTo(403);
        }
        assertNothingIsStored();
        assertThat(sendForm("any/api/files/local", Client.utf8(file + "\r\nbroken"))
                        .status())
                .isEqualTo(400);
        assertNothingIsStored();
    }

    @Test
    void uploadToAFolderThatIsTooDeepLeavesNothing() throws IOException {
        String deep = "a/".repeat(30);
        Answer rejected = sendForm("any/api/files/local", form(List.of(Map.entry("path", deep)), "a.gcode", gcode));
        assertThat(rejected.status()).as(rejected.text()).isEqualTo(400);
        assertThat(rejected.at("details[0].path")).isEqualTo("path");
        assertThat(send("PUT", "any/api/v1/files/local/" + deep + "a.gcode", Client.utf8(gcode))
                        .status())
                .isEqualTo(400);
        assertNothingIsStored();
        assertThat(client.get("/v1/folders").each("id")).isEmpty();
    }

    @Test
    void fileThatTwoSlicersSendAtOnceIsOnePart() throws Exception {
        byte[] form = form(List.of(Map.entry("print", "true")), "vase.gcode", gcode);
        CyclicBarrier start = new CyclicBarrier(SLICERS);
        try (ExecutorService slicers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> sent = slicers.invokeAll(Collections.nCopies(SLICERS, () -> {
                start.await();
                return sendForm("any/api/files/local", form);
            }));
            for (Future<Answer> each : sent) {
                assertThat(each.get().status()).as(each.get().text()).isEqualTo(201);
            }
        }
        assertThat(parts().each("id")).hasSize(1);
        finishReading();
        assertThat(jobs().each("id")).hasSize(SLICERS);
    }

    @Test
    void keyIsRequiredAndMustBeAllowedToPrint() throws IOException {
        String key = keyWithoutPrinting();
        try (KeptConnection connection = new KeptConnection()) {
            String[] head = {
                "POST /print-hosts/any/api/files/local HTTP/1.1",
                "Host: farm",
                "X-Api-Key: " + key,
                "Content-Type: multipart/form-data; boundary=" + BOUNDARY
            };
            assertThat(connection
                            .send(form(List.of(Map.entry("print", "true")), "a.gcode", gcode), head)
                            .status())
                    .isEqualTo(403);
            assertThat(connection
                            .send(form(List.of(Map.entry("print", "false")), "a.gcode", gcode), head)
                            .status())
                    .isEqualTo(201);
        }
        try (KeptConnection connection = new KeptConnection()) {
            assertThat(connection
                            .send(new byte[0], "GET /print-hosts/any/api/version HTTP/1.1", "Host: farm")
                            .status())
                    .isEqualTo(401);
            assertThat(connection
                            .send(new byte[0], "GET /v1/parts HTTP/1.1", "Host: farm", "X-Api-Key: " + store.key())
                            .status())
                    .as("the header is for print hosts alone")
                    .isEqualTo(401);
        }
    }

    @Test
    void otherStoresSeeNothing() throws IOException {
        sendForm("any/api/files/local", form(List.of(Map.entry("print", "false")), "vase.gcode", gcode));
        Client other = Client.of(new Socket(), SharedApi.newStore().key());
        assertThat(other.get("/v1/parts").each("id")).isEmpty();
    }
}
