package farm.gantry.api.job.slicing;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.file.FileReferenceRows;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.api.queue.OutboxRows;
import farm.gantry.api.queue.QueueMessageRows;
import farm.gantry.api.queue.QueuedResultSender;
import farm.gantry.api.queue.QueueNames;
import farm.gantry.api.queue.RejectedRequestHandler;
import farm.gantry.api.queue.SliceResultHandler;
import farm.gantry.api.queue.SliceRows;
import farm.gantry.api.schedule.SchedulingRound;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.PrintJob;
import farm.gantry.part.PartParameter;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the slicing of models and its effects on jobs. */
final class JobSlicingTest {
    private static final String MATERIAL = "{\"name\":\"M\",\"brand\":\"b\",\"type\":\"%s\",\"tags\":[]}";

    private static final Map<String, Object> CUBE = Map.of("name", "cube", "type", "stl", "fileHashes", List.of("h"));

    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
    private final Client client = fakeAgent.client();
    private String printer = "";

    @BeforeEach
    void setUp() {
        printer = fakeAgent.printer("set up", "");
    }

    private String profile(String type) {
        return profile(type, type);
    }

    private String profile(String type, String name) {
        return client.made("/v1/profiles", """
                {"name": "%s", "type": "%s", "source": "manual", "data": {"of": "%s"}, "metadata": {}, "externalId": null,
                 "inherits": "", "compatibilityList": "", "integrationId": null, "integrationType": null}""".formatted(name, type, name));
    }

    /**
     * Sets the printer's machine profile and the store's default process and filament, and returns the id of the
     * machine profile.
     */
    private String profiled() {
        String machine = profile("machine");
        client.patch("/v1/printers/" + printer, "{\"machineUserProfileId\":\"" + machine + "\"}");
        client.patch(
                "/v1/settings/store",
                "{\"defaultProcessProfileId\":\"" + profile("process") + "\",\"defaultFilamentProfileId\":\""
                        + profile("filament", "default filament") + "\"}");
        return machine;
    }

    /** Queues a job of a model without G-code. */
    private String model() {
        String job = fakeAgent.job("");
        String build = String.valueOf(fakeAgent.stored(job).at("partBuildId"));
        Answer copied = client.get("/v1/part-builds/" + build);
        Map<String, Object> part = new HashMap<>(asMap(copied.at("partCopy")));
        part.putAll(CUBE);
        part.put("parameters", List.of(Map.of("name", "width", "type", "number", "default", 10)));
        fakeAgent.change(PartBuild.class, build, Map.of("partCopy", part));
        fakeAgent.change(
                PrintJob.class,
                job,
                Map.of("filesToPrint", List.of(), "parameterOverrides", List.of(Map.of("name", "width", "value", 25))));
        return job;
    }

    @SuppressWarnings("unchecked") // an object's members
    private static Map<String, Object> asMap(@Nullable Object node) {
        return node == null ? Map.of() : (Map<String, Object>) node;
    }

    /** Returns the slice requests sent to the worker for the store. */
    private List<SliceRequest> asked() {
        QueueMessageRows messages = SharedApi.bean(QueueMessageRows.class);
        messages.relay();
        List<SliceRequest> requests = new ArrayList<>();
        for (Optional<QueueMessageRows.ReceivedMessage> taken = messages.take("slice", "test", Duration.ofHours(1));
                taken.isPresent();
                taken = messages.take("slice", "test", Duration.ofHours(1))) {
            SliceRequest request = read(taken.get().body());
            if (request.storeId().equals(store.id().value())) {
                requests.add(request);
            }
        }
        return requests;
    }

    private static SliceRequest read(String body) {
        try {
            return Objects.requireNonNull(SharedApi.bean(ObjectMapper.class).readValue(body, SliceRequest.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(SliceResult answer) {
        SharedApi.bean(SliceResultHandler.class).apply(store.id(), answer);
    }

    private SliceResult sliced(String sliceId, String... warnings) {
        String uri = "files:" + store.id().value() + "/" + Id.next() + "/plate.gcode";
        return new SliceResult(
                store.id().value(),
                sliceId,
                new SliceResult.Sliced(
                        uri,
                        "abc",
                        77,
                        "input",
                        true,
                        ReadyParts.estimate("PLA", 12.5),
                        warnings.length == 0 ? null : List.of(warnings)),
                null);
    }

    @Test
    void sliceIsNeededWhileItsJobWaits() {
        String job = model();
        profiled();
        fakeAgent.round();
        SliceRequest request = asked().getFirst();
        assertThat(request.plateId())
                .as("that of an earlier attempt's G-code is no plate of a model without plates")
                .isNull();
        List<SliceResultHandler> handlers =
                List.of(SharedApi.bean(SliceResultHandler.class), SharedApi.bean(QueuedResultSender.class));
        assertThat(handlers).allMatch(handler -> handler.isWanted(store.id(), request));
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        assertThat(handlers).noneMatch(handler -> handler.isWanted(store.id(), request));
    }

    @Test
    void noSliceIsRequestedWhileItsFilesAreDeleted() {
        model();
        profiled();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            SharedApi.bean(Database.class).in(store.id(), tx -> {
                SharedApi.bean(FileReferenceRows.class).lockExclusive(tx);
                return assertThat(threads.submit(fakeAgent::round)).succeedsWithin(Duration.ofMinutes(5));
            });
        }
        assertThat(asked()).isEmpty();
        fakeAgent.round();
        assertThat(asked()).hasSize(1);
    }

    @Test
    void noSliceIsRequestedWhileItsSettingsChange() {
        model();
        profiled();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            SharedApi.bean(Database.class).in(store.id(), tx -> {
                SharedApi.bean(SliceRows.class).lockExclusive(tx);
                return assertThat(threads.submit(fakeAgent::round)).succeedsWithin(Duration.ofMinutes(5));
            });
        }
        assertThat(asked()).isEmpty();
        fakeAgent.round();
        assertThat(asked()).hasSize(1);
    }

    @Test
    void correctionFindsJobsSlicedByAConcurrentRound() throws Exception {
        String job = model();
        String machine = profiled();
        CompletableFuture<Void> corrected = SharedApi.bean(Database.class).in(store.id(), tx -> {
            SharedApi.bean(SchedulingRound.class).run(tx, Instant.now());
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(
                    () -> changed("profiles/" + machine + " {\"data\":{\"of\":\"corrected\"}}"));
            SharedApi.awaitBlocked(tx);
            return waiting;
        });
        corrected.get(5, TimeUnit.MINUTES);
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
    }

    @Test
    void lostSliceWaitsForTheLockOfItsJob() {
        String job = model();
        profiled();
        fakeAgent.round();
        assertThat(asked()).hasSize(1);
        Instant late = Instant.now().plus(Duration.ofHours(1));
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            SharedApi.bean(Database.class).in(store.id(), tx -> {
                SharedApi.bean(Tables.class).of(PrintJob.class).lock(tx, job);
                return assertThat(threads.submit(() -> fakeAgent.roundAt(late))).succeedsWithin(Duration.ofMinutes(5));
            });
        }
        assertThat(asked()).isEmpty();
        fakeAgent.roundAt(late);
        assertThat(asked()).hasSize(1);
    }

    @Test
    void correctionHoldsNoBuildLockWhileWaitingForAPrintingJob() throws Exception {
        String material = client.made("/v1/materials", MATERIAL.formatted("PLA"));
        assign(0, "materialId", material);
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        String waiting = jobOfTheFirstPlace();
        answer(sliced(asked().getFirst().sliceId()));
        String build = String.valueOf(fakeAgent.stored(waiting).at("partBuildId"));
        String ofWaiting = printer;
        printer = fakeAgent.printer("another", "");
        assign(0, "materialId", material);
        client.patch("/v1/settings/store", "{\"requireApproval\":false}");
        String printing = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", printing);
        assertThat(fakeAgent.status(printing)).isEqualTo("Printing");
        String body = "{\"type\":\"ABS\",\"filamentUserProfileId\":\"" + profile("filament") + "\"}";
        CompletableFuture<Answer> corrected = SharedApi.bean(Database.class).in(store.id(), tx -> {
            SharedApi.bean(Tables.class).of(PrintJob.class).lock(tx, printing);
            CompletableFuture<Answer> begun =
                    CompletableFuture.supplyAsync(() -> client.patch("/v1/materials/" + material, body));
            SharedApi.awaitBlocked(tx);
            assertThat(SharedApi.isFree(tx, "partBuild", build)).isTrue();
            assertThat(SharedApi.isFree(tx, "printer", ofWaiting)).isTrue();
            return begun;
        });
        assertThat(corrected.get(5, TimeUnit.MINUTES).status()).isEqualTo(200);
        assertThat(fakeAgent.status(waiting)).isEqualTo("Pending");
    }

    @Test
    void requestRejectedByTheQueueFailsTheJob() throws IOException {
        String job = model();
        profiled();
        fakeAgent.round();
        String body = SharedApi.bean(ObjectMapper.class).writeValueAsString(asked().getFirst());
        SharedApi.bean(RejectedRequestHandler.class)
                .fail(new OutboxRows.Message(store.id(), Id.next(), QueueNames.SLICE, body), "it is too large");
        assertThat(fakeAgent.status(job)).isEqualTo("Failed");
        assertThat(fakeAgent.stored(job).at("errorMessage"))
                .isEqualTo("The request to slice this file did not reach the worker: it is too large");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "printers/PRINTER {\"nozzleDiameter\":\"0.6\"}",
                "printers/PRINTER {\"modelName\":\"Another\"}",
                "printers/PRINTER {\"machineUserProfileId\":\"PROFILE\"}",
                "printers/set-config {\"printerIds\":[\"PRINTER\"],\"machineUserProfileId\":\"PROFILE\"}"
            })
    void jobIsSlicedAgainWhenItsPrinterChanges(String change) {
        String job = model();
        profiled();
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        fakeAgent.round();
        answer(sliced(asked().getFirst().sliceId()));
        assertThat(fakeAgent.status(job)).isEqualTo("Waiting-for-approval");
        changed(change.replace("PRINTER", printer).replace("PROFILE", profile("machine", "other")));
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Slicing");
        assertThat(asked()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "profiles/MACHINE {\"data\":{\"of\":\"corrected\"}}",
                "profiles/PROCESS {\"data\":{\"of\":\"corrected\"}}",
                "profiles/ANCESTOR {\"data\":{\"temperature\":\"205\"}}",
                "profiles {\"ids\":[\"FILAMENT\",\"MACHINE\"],\"update\":{\"data\":{\"of\":\"corrected\"}}}",
                "materials/MATERIAL {\"filamentUserProfileId\":\"OTHER\"}",
                "materials/variants/VARIANT {\"filamentUserProfileId\":\"OTHER\"}",
                "settings/store {\"defaultProcessProfileId\":null}",
                "settings/store {\"slicer\":\"slicer3\"}"
            })
    void unsentJobIsSlicedAgainWhenItsSettingsChange(String change) {
        String ancestor = profile("filament", "ancestor");
        String filament = profile("filament", "filament");
        String other = profile("filament", "other");
        client.patch("/v1/profiles/" + filament, "{\"inherits\":\"ancestor\"}");
        String material = client.made("/v1/materials", """
                {"name": "M", "brand": "b", "type": "PLA", "tags": [], "filamentUserProfileId": "%s"}""".formatted(filament));
        String variant =
                client.made("/v1/materials/variants", "{\"name\":\"red\",\"materialId\":\"" + material + "\"}");
        assign(0, "variantId", variant);
        String sent = modelOfPla();
        String machine = profile("machine");
        String process = profile("process");
        client.patch(
                "/v1/settings/store",
                "{\"defaultMachineProfileId\":\"" + machine + "\",\"defaultProcessProfileId\":\"" + process + "\"}");
        fakeAgent.round();
        answer(sliced(asked().getFirst().sliceId()));
        fakeAgent.round();
        assertThat(fakeAgent.status(sent)).isEqualTo("Sending-to-printer");
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        String requestId = onAnotherPrinter(variant);
        String ready = onAnotherPrinter(variant);
        answer(sliced(ready + "-1"));
        assertThat(fakeAgent.status(requestId)).isEqualTo("Slicing");
        assertThat(fakeAgent.status(ready)).isEqualTo("Waiting-for-approval");

        changed("profiles/" + other + " {\"data\":{\"of\":\"nothing that is sliced\"}}");
        changed("profiles/" + filament + " {\"customMetadata\":{\"by\":\"somebody\"}}");
        assertThat(List.of(fakeAgent.status(requestId), fakeAgent.status(ready)))
                .containsExactly("Slicing", "Waiting-for-approval");

        changed(change.replace("MACHINE", machine)
                .replace("PROCESS", process)
                .replace("ANCESTOR", ancestor)
                .replace("FILAMENT", filament)
                .replace("MATERIAL", material)
                .replace("VARIANT", variant)
                .replace("OTHER", other));
        assertThat(List.of(fakeAgent.status(sent), fakeAgent.status(requestId), fakeAgent.status(ready)))
                .containsExactly("Sending-to-printer", "Pending", "Pending");
        assertThat(client.get("/v1/printers?printingJobId=" + ready).text()).isEqualTo("[]");
        answer(sliced(requestId + "-1"));
        assertThat(fakeAgent.status(requestId))
                .as("a result for the former settings")
                .isEqualTo("Pending");
    }

    private String modelOfPla() {
        String job = model();
        fakeAgent.change(
                PrintJob.class,
                job,
                Map.of("materialAssignments", Map.of("0", List.of(Map.of("materialType", "PLA")))));
        return job;
    }

    /** Queues a job whose slice is requested for another printer with this filament. */
    private String onAnotherPrinter(String variant) {
        printer = fakeAgent.printer("another", "");
        assign(0, "variantId", variant);
        String job = modelOfPla();
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("assignedPrinterId")).isEqualTo(printer);
        return job;
    }

    @Test
    void jobIsSlicedAgainWhenOtherFilamentIsLoaded() {
        assign(0, "materialType", "PLA");
        String job = jobOfTheFirstPlace();
        SliceRequest before = asked().getFirst();
        assign(0, "materialType", "PLA");
        assertThat(fakeAgent.status(job)).isEqualTo("Slicing");
        assign(0, "materialType", "ABS");
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        answer(sliced(before.sliceId()));
        assertThat(fakeAgent.status(job)).as("a result for the former filament").isEqualTo("Pending");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "materials/instances/SPOOL {\"materialId\":\"OTHER\",\"variantId\":null}",
                "materials/instances/SPOOL {\"materialId\":null,\"materialType\":\"ABS\",\"variantId\":null}",
                "materials/variants/VARIANT {\"materialId\":\"OTHER\"}",
                "materials/MATERIAL {\"type\":\"ABS\"}"
            })
    void jobIsSlicedAgainWhenTheMaterialOfItsSpoolChanges(String change) {
        String material = client.made("/v1/materials", MATERIAL.formatted("PLA"));
        String other = client.made("/v1/materials", MATERIAL.formatted("ABS"));
        String variant =
                client.made("/v1/materials/variants", "{\"name\":\"red\",\"materialId\":\"" + material + "\"}");
        String spool = client.made("/v1/materials/instances", "{\"variantId\":\"" + variant + "\"}");
        assign(0, "instanceId", spool);
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        String job = jobOfTheFirstPlace();
        answer(sliced(asked().getFirst().sliceId()));
        changed("materials/instances/" + spool + " {\"name\":\"blue\"}");
        assertThat(fakeAgent.status(job)).isEqualTo("Waiting-for-approval");
        changed(change.replace("SPOOL", spool)
                .replace("VARIANT", variant)
                .replace("MATERIAL", material)
                .replace("OTHER", other));
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
    }

    @Test
    void startIsWithdrawnWhenItsFilamentIsRenamed() {
        String material = client.made("/v1/materials", MATERIAL.formatted("PLA"));
        assign(0, "materialId", material);
        String job = jobOfTheFirstPlace();
        answer(sliced(asked().getFirst().sliceId()));
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        changed("materials/" + material + " {\"type\":\"ABS\"}");
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId"))
                .as("until its agent reports that none of it is running")
                .isEqualTo(job);
        Answer commands = fakeAgent.exchange();
        assertThat(commands.at("commands[0].action.type")).isEqualTo("print");
        assertThat(commands.at("commands[0].expiresAt")).isEqualTo("1970-01-01T00:00:00.000Z");
        assertThat(commands.at("commands[1].action.type")).isEqualTo("cancel");
    }

    /** Queues a job whose slice is requested with the filament in the printer's first slot. */
    private String jobOfTheFirstPlace() {
        String job = model();
        profiled();
        fakeAgent.round();
        fakeAgent.change(PrintJob.class, job, Map.of("materialMapping", Map.of("0", new PrintJob.Slot(0, 0))));
        return job;
    }

    private void assign(int slot, String member, String value) {
        changed("""
                printer-slots/assign {"printerIds": ["%s"], "slots": [{"amsIndex": 0, "slotIndex": %d}], "%s": "%s"}""".formatted(printer, slot, member, value));
    }

    private void changed(String pathAndBody) {
        int space = pathAndBody.indexOf(' ');
        Answer answer = client.patch("/v1/" + pathAndBody.substring(0, space), pathAndBody.substring(space + 1));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    @Test
    void modelWaitsForAPrinterItCanBeSlicedFor() {
        String job = model();
        fakeAgent.change(PrintJob.class, job, Collections.singletonMap("extensions", null));
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(client.get("/v1/print-jobs/" + job + "/matching-details").at("details." + printer + ".reasonCode"))
                .isEqualTo("profiles-configured");
        profiled();
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Slicing");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isEqualTo(job);
        List<SliceRequest> requests = asked();
        assertThat(requests).hasSize(1);
        SliceRequest request = requests.getFirst();
        assertThat(request.parameters()).extracting(PartParameter::value).hasToString("[25]");
        assertThat(Objects.requireNonNull(request.setup().machine()).data()).containsEntry("of", "machine");
        assertThat(Objects.requireNonNull(request.setup().printerProcess()).data())
                .containsEntry("of", "process");

        answer(sliced(request.sliceId()));
        answer(sliced(request.sliceId()));
        Answer ready = fakeAgent.stored(job);
        assertThat(ready.at("status")).isEqualTo("Ready-for-printer");
        assertThat(ready.at("filesToPrint[0].sha256")).isEqualTo("abc");
        assertThat(ready.at("slicerInputHash")).isEqualTo("input");
        assertThat(ready.at("extensions.3mf.plateId")).isEqualTo(1);
        assertThat(ready.at("isGcodeCached")).isEqualTo(true);
        assertThat(ready.at("logsUri")).isNull();
        assertThat(ready.at("estimatedGrams")).isEqualTo(12.5);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void onlyALostRequestIsSentAgain() {
        profiled();
        String job = model();
        fakeAgent.round();
        assertThat(asked()).hasSize(1);
        fakeAgent.round();
        assertThat(asked()).isEmpty();
        fakeAgent.roundAt(Instant.now().plus(Duration.ofMinutes(16)));
        assertThat(asked()).extracting(SliceRequest::sliceId).containsExactly(job + "-1");
    }

    @Test
    void failedSliceFailsTheJobWithItsLogAndKeepsTheBedReady() {
        profiled();
        String job = model();
        fakeAgent.round();
        answer(new SliceResult(store.id().value(), job + "-1", null, "too big for the bed\nat layer 3"));
        Answer failed = fakeAgent.stored(job);
        assertThat(failed.at("status")).isEqualTo("Failed");
        assertThat(failed.at("errorMessage")).isEqualTo("too big for the bed");
        assertThat(log(failed)).isEqualTo("too big for the bed\nat layer 3");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(fakeAgent.stateOf(printer).at("confirmedReady")).isEqualTo(true);

        client.patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + job + "\"]}");
        fakeAgent.round();
        answer(new SliceResult(store.id().value(), job + "-1", null, "late"));
        assertThat(fakeAgent.status(job)).isEqualTo("Slicing");
        answer(sliced(job + "-2"));
        assertThat(fakeAgent.status(job)).isEqualTo("Ready-for-printer");
    }

    /** Loads a filament whose profile has this name into the numbered slot. */
    private void loaded(int slot, String name) {
        String material = client.made("/v1/materials", """
                {"name": "%s", "brand": "b", "type": "%s", "tags": [], "filamentSystemProfileId": null,
                 "filamentUserProfileId": "%s"}""".formatted(name, name, profile("filament", name)));
        assign(slot, "materialId", material);
    }

    @Test
    void filamentUsesTheProfileOfItsSlot() {
        profiled();
        loaded(0, "PLA");
        loaded(1, "PETG");
        String job = model();
        fakeAgent.change(
                PrintJob.class,
                job,
                Map.of(
                        "materialAssignments",
                        Map.of(
                                "0", List.of(Map.of("materialType", "PETG")),
                                "2", List.of(Map.of("materialType", "PLA")))));
        fakeAgent.round();
        assertThat(asked().getFirst().setup().filaments())
                .extracting(filament -> filament.data().get("of"))
                .startsWith("PETG")
                .endsWith("PLA")
                .hasSize(3);
    }

    @Test
    void unusedFilamentTakesTheProfileOfAUsedOne() {
        profiled();
        client.patch(
                "/v1/settings/store", "{\"defaultFilamentProfileId\":\"" + profile("filament", "usual PLA") + "\"}");
        loaded(0, "PETG");
        String job = model();
        fakeAgent.change(
                PrintJob.class,
                job,
                Map.of("materialAssignments", Map.of("1", List.of(Map.of("materialType", "PETG")))));
        fakeAgent.round();
        assertThat(asked().getFirst().setup().filaments())
                .extracting(filament -> filament.data().get("of"))
                .containsExactly("PETG", "PETG");
    }

    private String log(Answer job) {
        Answer signed = client.post("/v1/storage/signed-urls", "{\"paths\":[\"" + job.at("logsUri") + "\"]}");
        return Client.of(new Socket())
                .get(Uploads.target(signed.at("signedUrls[0]")))
                .text();
    }

    @Test
    void missingGlyphsAreLoggedAndTheJobIsPrinted() {
        profiled();
        String job = model();
        fakeAgent.round();
        answer(sliced(job + "-1", "the font lacks 木", "the font lacks 🦊"));
        Answer ready = fakeAgent.stored(job);
        assertThat(ready.at("status")).isEqualTo("Ready-for-printer");
        assertThat(ready.at("errorMessage")).isNull();
        assertThat(log(ready)).isEqualTo("the font lacks 木\nthe font lacks 🦊");
    }

    @Test
    void cancelledJobReleasesItsPrinterUnchanged() {
        profiled();
        String job = model();
        fakeAgent.round();
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        answer(sliced(job + "-1"));
        assertThat(fakeAgent.status(job)).isEqualTo("Cancelled");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
        assertThat(fakeAgent.stateOf(printer).at("confirmedReady")).isEqualTo(true);
    }

    @Test
    void unapprovedJobDoesNotStartWhenApprovalIsRequired() {
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        profiled();
        String ready = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.round();
        assertThat(fakeAgent.status(ready)).isEqualTo("Waiting-for-approval");
        assertThat(approve(ready).text()).isEqualTo("[\"" + ready + "\"]");
        assertThat(approve(ready).text()).isEqualTo("[]");
        fakeAgent.round();
        assertThat(fakeAgent.status(ready)).isEqualTo("Sending-to-printer");
        assertThat(approve(SharedApi.unknownId()).status()).isEqualTo(404);

        printer = fakeAgent.printer("other", "");
        profiled();
        String model = model();
        fakeAgent.round();
        answer(sliced(model + "-1"));
        assertThat(fakeAgent.status(model)).isEqualTo("Waiting-for-approval");
    }

    private Answer approve(String job) {
        return client.patch("/v1/print-jobs/approve", "{\"printJobIds\":[\"" + job + "\"]}");
    }
}
