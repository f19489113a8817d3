package farm.gantry.api.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.browser.LampStore;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.file.FileUri;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import io.micronaut.context.ApplicationContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that files are deleted with their part, but not before its jobs have ended. */
final class FileCleanupTest {
    private static final Path FOLDER = Path.of(
            SharedApi.context().getProperty("gantry.files.folder", String.class).orElseThrow());

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());
    private final Uploads uploads = new Uploads(client);
    private final LocalFiles files = SharedApi.bean(LocalFiles.class);

    private List<String> kept() throws IOException {
        Path home = FOLDER.resolve("files").resolve(store.id().value());
        if (!Files.exists(home)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(home)) {
            return paths.filter(Files::isRegularFile)
                    .filter(path -> path.toString().contains("/content/"))
                    .map(path -> home.relativize(path).toString().replace("/content/", "/"))
                    .toList();
        }
    }

    private FileUri put(String owner, String name) {
        FileUri uri = FileUri.file(store.id().value(), owner, name);
        try {
            files.write(uri, new ByteArrayInputStream(Client.utf8(name)), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return uri;
    }

    /** Writes the files that a run of the part's ingest leaves. */
    private FileUri made(String part) {
        return put(part, "runs/" + client.get("/v1/parts/" + part).at("processing.workflowKey") + "/thumbnail.png");
    }

    private String replaced(String part) {
        Answer answer = client.patch("/v1/parts/" + part, "{\"fileUris\":[\"" + uploads.put("b.gcode") + "\"]}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return String.valueOf(answer.at("fileUris[0]"));
    }

    private String job(String part) {
        Answer built = client.post("/v2/builds", "{\"parts\":[{\"partId\":\"" + part + "\"}]}");
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        return String.valueOf(client.get("/v1/print-jobs").at("[0].id"));
    }

    @Test
    void filesOfAnEmptiedStoreAreDeleted() throws IOException {
        String part = ReadyParts.uploaded(store, client);
        made(part);
        replaced(part);
        made(part);
        put(part, "made/slice/plate_1.gcode");
        ReadyParts.change(store, part, "processingStatus", null);
        String job = job(part);
        replaced(part);
        String other = client.made("/v1/parts", uploads.part("c.stl", "stl", ""));
        client.delete("/v1/parts", "[\"" + part + "\",\"" + other + "\"]");
        assertThat(kept()).as("a job is yet to be printed").anyMatch(name -> name.endsWith("b.gcode"));
        put(part, "jobs/" + job + "/slicing-1.log");
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        assertThat(kept()).isEmpty();
        assertThat(client.patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + job + "\"]}")
                        .text())
                .as("nothing to print")
                .isEqualTo("[]");
    }

    @Test
    void filesOfAnEarlierRunAreDeletedWhenTheNextStarts() throws IOException {
        String part = ReadyParts.uploaded(store, client);
        FileUri before = made(part);
        FileUri slice = put(part, "made/slice/plate_1.gcode");
        String now = replaced(part);
        FileUri after = made(part);
        client.patch("/v1/parts/" + part, "{\"name\":\"renamed\"}");
        assertThat(files.find(before)).isEmpty();
        assertThat(kept()).containsExactlyInAnyOrder(below(now), below(after.toString()), below(slice.toString()));
    }

    @Test
    void filesOfAnEarlierRunAreKeptWhileAJobNeedsThem() {
        String part = ReadyParts.uploaded(store, client);
        FileUri picture = made(part);
        ReadyParts.change(store, part, "thumbnailUri", picture.toString());
        String job = job(part);
        replaced(part);
        assertThat(files.find(picture)).isPresent();
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        client.patch("/v1/print-jobs/clear", "{\"printJobIds\":[\"" + job + "\"]}");
        replaced(part);
        assertThat(files.find(picture)).isEmpty();
    }

    @Test
    void failedJobKeepsItsFilesUntilCleared() {
        String part = ReadyParts.uploaded(store, client);
        String source = String.valueOf(client.get("/v1/parts/" + part).at("fileUris[0]"));
        String job = job(part);
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        replaced(part);
        assertThat(files.find(FileUri.parse(source).orElseThrow())).isPresent();
        client.patch("/v1/print-jobs/clear", "{\"printJobIds\":[\"" + job + "\"]}");
        replaced(part);
        assertThat(files.find(FileUri.parse(source).orElseThrow())).isEmpty();
    }

    @Test
    void sweepDeletesFilesLeftByAKilledProcess() throws IOException {
        String part = ReadyParts.uploaded(store, client);
        List<String> needed = kept();
        String uncommitted = SharedApi.unknownId();
        put(uncommitted, uncommitted + "/a.gcode");
        put(part, SharedApi.unknownId() + "/a.gcode");
        put(part, "runs/" + SharedApi.unknownId() + "/thumbnail.png");
        SharedApi.bean(FileCleanup.class).cleanUpAll();
        assertThat(kept()).isEqualTo(needed);
    }

    /** Creates a file that was generated for the part 31 days ago, and returns its URI. */
    private FileUri madeBefore(String part, String name) throws IOException {
        FileUri uri = put(part, "made/" + name);
        Path home = FOLDER.resolve("files").resolve(store.id().value()).resolve(part);
        FileTime then = FileTime.from(Instant.now().minus(Duration.ofDays(31)));
        try (Stream<Path> paths = Files.walk(home)) {
            for (Path path :
                    paths.filter(each -> each.toString().contains("/made")).toList()) {
                Files.setLastModifiedTime(path, then);
            }
        }
        return uri;
    }

    private void changeJob(String job, Map<String, ?> changes) {
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(Tables.class)
                                .of(PrintJob.class)
                                .change(tx, job, FakeAgent.change(changes)));
    }

    /** Creates a model and a job of one copy. */
    private String modelJob(String part) {
        ReadyParts.change(store, part, "processingStatus", null);
        return job(part);
    }

    private boolean isKeptBySweep(FileUri file) {
        SharedApi.bean(FileCleanup.class).cleanUpAll();
        return files.find(file).isPresent();
    }

    @Test
    void generatedFileIsDeletedAfterThirtyDaysUnlessReferenced() throws IOException {
        String part = client.made("/v1/parts", uploads.part("c.stl", "stl", ""));
        String job = modelJob(part);
        FileUri mesh = madeBefore(part, "a/mesh.stl");
        ReadyParts.change(store, part, "meshUri", mesh.toString());
        FileUri sliced = madeBefore(part, "b/0/plate_0.gcode");
        changeJob(job, Map.of("slicedGcodeUri", sliced.toString()));
        FileUri other = madeBefore(part, "c/0/plate_0.gcode");
        FileUri fresh = put(part, "made/d/0/plate_0.gcode");
        assertThat(isKeptBySweep(other)).isFalse();
        assertThat(List.of(mesh, sliced, fresh))
                .allMatch(each -> files.find(each).isPresent());
    }

    @Test
    void filesOfAJobAreDeletedThirtyDaysAfterIt() throws IOException {
        String part = client.made("/v1/parts", uploads.part("c.stl", "stl", ""));
        String job = modelJob(part);
        FileUri sliced = madeBefore(part, "b/0/plate_0.gcode");
        changeJob(job, Map.of("slicedGcodeUri", sliced.toString(), "status", JobStatus.Completed));
        assertThat(isKeptBySweep(sliced)).isTrue();
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update(
                                "update farm.\"printJob\" set \"updatedAt\" = now() - interval '31 days' where \"storeId\" = ? and id = ?",
                                store.id().value(),
                                job));
        assertThat(isKeptBySweep(sliced)).isFalse();
    }

    @Test
    void generatedFileIsKeptWhileAWorkerMayReportIt() throws IOException {
        String part = client.made("/v1/parts", uploads.part("c.stl", "stl", ""));
        FileUri made = madeBefore(part, "a/0/plate_0.gcode");
        assertThat(isKeptBySweep(made)).as("the part is being read").isTrue();
        String job = modelJob(part);
        changeJob(job, Map.of("status", JobStatus.Slicing));
        assertThat(isKeptBySweep(made)).as("a job is being sliced").isTrue();
        changeJob(job, Map.of("status", JobStatus.Cancelled));
        assertThat(isKeptBySweep(made)).isFalse();
    }

    @Test
    void sweepCleansUpAfterManyConcurrentChanges() throws IOException {
        FileCleanup cleanup = SharedApi.bean(FileCleanup.class);
        List<String> gone = Stream.generate(Id::next).limit(101).toList();
        gone.forEach(part -> put(part, "a.gcode"));
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            gone.forEach(part -> cleanup.cleanUpAfterCommit(tx, part));
            return gone;
        });
        assertThat(kept()).hasSize(1);
        cleanup.cleanUpAll();
        assertThat(kept()).isEmpty();
    }

    @Test
    void sweepDeletesFilesOfDeletedPartsFirstAndVisitsPartsInTurn() throws IOException {
        String part = ReadyParts.uploaded(store, client);
        List<String> needed = kept();
        String uncommitted = SharedApi.unknownId();
        put(uncommitted, uncommitted + "/a.gcode");
        FileUri left = put(part, "runs/" + SharedApi.unknownId() + "/thumbnail.png");
        FileCleanup cleanup = SharedApi.bean(FileCleanup.class);
        int turn = Math.floorMod(part.hashCode(), 3);
        cleanup.cleanUpShare(turn + 1, 3);
        assertThat(kept()).hasSize(needed.size() + 1).contains(below(left.toString()));
        cleanup.cleanUpShare(turn + 3, 3);
        assertThat(kept()).isEqualTo(needed);
    }

    @Test
    void filesOfOlderVersionsLiveAsLongAsThePart() throws IOException {
        String part = ReadyParts.uploaded(store, client);
        String run = SharedApi.unknownId();
        FileUri picture = put(run, "thumbnail.png");
        ReadyParts.change(store, part, "thumbnailUri", picture.toString());
        SharedApi.bean(FileCleanup.class).cleanUpAll();
        assertThat(files.find(picture)).isPresent();
        client.delete("/v1/parts/" + part);
        SharedApi.bean(FileCleanup.class).cleanUpAll();
        assertThat(kept()).isEmpty();
    }

    /** Uploads are deleted after a day. */
    @Test
    void filesNamedByValuesLiveAsLongAsTheirRecords() throws Exception {
        String logo = uploads.put("logo.svg", "<svg/>");
        String file = "{\"name\":\"logo\",\"type\":\"file\",\"%s\":\"" + logo + "\"}";
        String part = client.made(
                "/v1/parts",
                "{\"name\":\"a\",\"type\":\"gcode\",\"fileUris\":[\"" + uploads.put("a.gcode") + "\"],\"parameters\":["
                        + file.formatted("defaultUri") + "]}");
        String linked = client.made(
                "/v1/linked-parts",
                LampStore.linked(part, "l", 1, "")
                        .replace("\"parameters\":[]", "\"parameters\":[" + file.formatted("value") + "]"));
        String delivery =
                "{\"order\":{\"externalId\":\"A-1\",\"note\":\"%s\"},\"items\":[{\"externalId\":\"1\",\"title\":\"t\","
                        + "\"inputs\":{\"logo\":\"" + logo + "\",\"n\":1},\"skuConfig\":{\"" + linked
                        + "\":{\"parameters\":{\"logo\":\"" + logo + "\"}}}}]}";
        Answer ordered = client.post("/v1/orders", delivery.formatted(""));
        String order = String.valueOf(ordered.at("order.id"));
        String ofPart = String.valueOf(client.get("/v1/parts/" + part).at("parameters[0].defaultUri"));
        String ofSku = String.valueOf(client.get("/v1/linked-parts/" + linked).at("parameters[0].value"));
        String ofOrder = String.valueOf(ordered.at("items[0].inputs.logo"));
        assertThat(ofPart).startsWith("files:" + store.id() + "/" + part + "/");
        assertThat(ofSku).startsWith("files:" + store.id() + "/" + linked + "/");
        assertThat(ofOrder).startsWith("files:" + store.id() + "/" + order + "/");
        assertThat(ordered.at("items[0].skuConfig." + linked + ".parameters.logo"))
                .isEqualTo(ofOrder);
        files.deleteStagedBefore(Instant.now().plusSeconds(1));
        SharedApi.bean(FileCleanup.class).cleanUpAll();
        assertThat(List.of(ofPart, ofSku, ofOrder))
                .allMatch(uri -> files.find(FileUri.parse(uri).orElseThrow()).isPresent());
        assertThat(client.post("/v1/orders", delivery.formatted("again")).at("items[0].inputs.logo"))
                .as("of a second delivery with the same upload")
                .isEqualTo(ofOrder);
        client.delete("/v1/orders/" + order);
        client.delete("/v1/linked-parts/" + linked);
        client.delete("/v1/parts/" + part);
        SharedApi.bean(FileCleanup.class).cleanUpAll();
        assertThat(kept()).isEmpty();
    }

    @Test
    void partCreatedFromAnotherPartsFileHasACopy() {
        String first = ReadyParts.uploaded(store, client);
        String shared = String.valueOf(client.get("/v1/parts/" + first).at("fileUris[0]"));
        String second =
                client.made("/v1/parts", "{\"name\":\"b\",\"type\":\"gcode\",\"fileUris\":[\"" + shared + "\"]}");
        String own = String.valueOf(client.get("/v1/parts/" + second).at("fileUris[0]"));
        assertThat(own).isNotEqualTo(shared).contains(second);
        client.delete("/v1/parts/" + first);
        ReadyParts.change(store, second, "processingStatus", null);
        assertThat(files.find(FileUri.parse(own).orElseThrow())).isPresent();
        assertThat(client.patch("/v1/parts/" + second, "{\"fileUris\":[\"" + own + "\"]}")
                        .at("fileUris[0]"))
                .as("its own value is kept")
                .isEqualTo(own);
        ReadyParts.change(store, second, "processingStatus", null);
        job(second);
    }

    @Test
    void clearedJobIsNotRetriedWithoutItsPlate() {
        String part = ReadyParts.project(store, client, "gcode3mf", "");
        FileUri plate = put(part, "runs/" + Id.next() + "/plate_2.gcode.3mf");
        ReadyParts.change(store, part, "gcodePlateUris", Map.of("2", plate.toString()));
        Answer built =
                client.post("/v2/builds", "{\"parts\":[{\"partId\":\"" + part + "\",\"plateQuantities\":{\"2\":1}}]}");
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        Answer job = client.get("/v1/print-jobs");
        assertThat(job.at("[0].filesToPrint[0].uri")).isEqualTo(plate.toString());
        String selected = "{\"printJobIds\":[\"" + job.at("[0].id") + "\"]}";
        client.patch("/v1/print-jobs/cancel", selected);
        client.patch("/v1/print-jobs/clear", selected);
        client.post("/v1/parts/" + part + "/estimate", "");
        assertThat(files.find(plate)).isEmpty();
        assertThat(client.patch("/v1/print-jobs/retry", selected).text()).isEqualTo("[]");
    }

    @Test
    void rejectedPieceIsNotReprintedWithoutItsFile() {
        String part = ReadyParts.uploaded(store, client);
        String job = job(part);
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(Tables.class)
                                .of(PrintJob.class)
                                .change(tx, job, new Change<PrintJob>().set(PrintJob::status, JobStatus.Completed)));
        replaced(part);
        FileUri printed = FileUri.parse(
                        String.valueOf(client.get("/v1/print-jobs/" + job).at("filesToPrint[0].uri")))
                .orElseThrow();
        assertThat(files.find(printed)).isEmpty();
        Answer judged = client.patch("/v1/print-jobs/" + job + "/quality", "{\"good\":0,\"rejected\":1}");
        assertThat(judged.status()).as(judged.text()).isEqualTo(200);
        assertThat(client.get("/v1/print-jobs").each("id")).containsExactly(job);
    }

    private static String below(String uri) {
        FileUri file = FileUri.parse(uri).orElseThrow();
        return file.id() + "/" + file.name();
    }

    /** The cleanup visits the first store before the second, and cannot get its lock. */
    @Test
    void failedCleanupOfAStoreDoesNotBlockOthers() throws Exception {
        List<StoreId> both = List.of(store.id(), SharedApi.newStore().id());
        List<StoreId> inOrder = SharedApi.bean(Database.class).findStores("all_stores").stream()
                .filter(both::contains)
                .toList();
        List<FileUri> left = new ArrayList<>();
        for (StoreId each : inOrder) {
            FileUri uri = FileUri.file(each.value(), Id.next(), "left.gcode");
            files.write(uri, new ByteArrayInputStream(new byte[1]), 100);
            left.add(uri);
        }
        try (ApplicationContext another = SharedApi.another(Map.of("gantry.database.lock-timeout", "200ms"));
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            SharedApi.bean(Database.class).in(inOrder.getFirst(), tx -> {
                SharedApi.bean(FileReferenceRows.class).lockExclusive(tx);
                Future<?> cleaned = threads.submit(another.getBean(FileCleanup.class)::cleanUpAll);
                return assertThatThrownBy(cleaned::get).hasStackTraceContaining("lock timeout");
            });
        }
        assertThat(files.find(left.getFirst())).isPresent();
        assertThat(files.find(left.getLast())).isEmpty();
    }
}
