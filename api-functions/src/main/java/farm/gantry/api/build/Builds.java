package farm.gantry.api.build;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.api.As;
import farm.gantry.api.Caller;
import farm.gantry.api.Fault;
import farm.gantry.api.Json;
import farm.gantry.api.Needs;
import farm.gantry.api.Problem;
import farm.gantry.api.RecordReader;
import farm.gantry.api.Refused;
import farm.gantry.api.file.LocalFiles;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Jobs;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.build.PartBuild;
import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds: wishes for copies become jobs, all of them or none. */
@Controller("/v2/builds")
@ExecuteOn(TaskExecutors.BLOCKING)
final class Builds {
    private static final int MOST_JOBS = 25_000;

    private final Table<Part> parts;
    private final Table<PartBuild> builds;
    private final Table<PrintJob> jobs;
    private final Database database;
    private final Jobs numbers;
    private final LocalFiles files;
    private final RecordReader reader;
    private final Scheduler scheduler;

    Builds(Tables tables, Database database, Jobs numbers, LocalFiles files, RecordReader reader, Scheduler scheduler) {
        this.parts = tables.of(Part.class);
        this.builds = tables.of(PartBuild.class);
        this.jobs = tables.of(PrintJob.class);
        this.database = database;
        this.numbers = numbers;
        this.files = files;
        this.reader = reader;
        this.scheduler = scheduler;
    }

    @Post
    @Status(HttpStatus.CREATED)
    @Needs(Permission.JOB_CREATE)
    HttpResponse<BuildAnswer> create(Caller caller, @Body @As(BuildRequest.class) JsonNode body) {
        BuildRequest wishes = wishes(body);
        Json<List<PartBuild>> queued = database.in(caller.store(), tx -> queue(tx, plans(tx, wishes)));
        scheduler.wake(caller.store());
        return Resources.created(queued.within("{\"partBuilds\":", ",\"skuBuilds\":[]}"));
    }

    /** What the same body would queue; nothing is. */
    @Post("/preview")
    @Status(HttpStatus.CREATED)
    @Needs(Permission.JOB_CREATE)
    BuildPreview preview(Caller caller, @Body @As(BuildRequest.class) JsonNode body) {
        List<BuildPreview.PartPreview> previews = database.in(caller.store(), tx -> plans(tx, wishes(body))).stream()
                .map(Builds::preview)
                .toList();
        int count = previews.stream().mapToInt(each -> each.jobs().size()).sum();
        return new BuildPreview(previews, new BuildPreview.Summary(previews.size(), 0, count));
    }

    private BuildRequest wishes(JsonNode body) {
        BuildRequest wishes = reader.read(BuildRequest.class, body);
        List<Fault> faults = new ArrayList<>();
        JsonNode skus = body.get("skus");
        if (skus != null && skus.size() > 0) {
            faults.add(new Fault("skus", "unsupported", "builds of whole SKUs are not served yet"));
        } else if (wishes.parts().isEmpty()) {
            faults.add(new Fault("parts", "required", "parts names at least one part"));
        }
        for (int i = 0; i < wishes.parts().size(); i++) {
            int priority = wishes.parts().get(i).priority();
            if (priority != 100 && priority != 1000) {
                faults.add(new Fault("parts[" + i + "].priority", "enum", "priority is 100 or 1000"));
            }
        }
        refuse(faults);
        return wishes;
    }

    private List<Plan> plans(Tx tx, BuildRequest wishes) {
        List<Fault> faults = new ArrayList<>();
        List<Plan> plans = new ArrayList<>();
        for (int i = 0; i < wishes.parts().size(); i++) {
            BuildRequest.PartWish wish = wishes.parts().get(i);
            String path = "parts[" + i + "]";
            // locked, so that its files are not deleted before the jobs that need them are seen
            Optional<Part> part = parts.lock(tx, wish.partId());
            if (part.isEmpty()) {
                faults.add(new Fault(path + ".partId", "not_found", "there is no part " + wish.partId()));
            } else if (part.get().processingStatus() != null) {
                throw Problem.Conflict.of("part '" + part.get().name() + "' is not ready: its file is "
                        + (part.get().processingStatus() == Part.ProcessingStatus.failed
                                ? "refused"
                                : "still being read"));
            } else {
                Plan.of(part.get(), wish, path, files, faults::add).ifPresent(plans::add);
            }
        }
        long count = plans.stream().mapToLong(plan -> plan.copies().size()).sum();
        if (count > MOST_JOBS) {
            faults.add(new Fault("parts", "range", count + " jobs are more than the " + MOST_JOBS + " of one build"));
        }
        refuse(faults);
        return plans;
    }

    private static void refuse(List<Fault> faults) {
        if (!faults.isEmpty()) {
            throw new Refused(new Problem.Invalid(faults));
        }
    }

    private Json<List<PartBuild>> queue(Tx tx, List<Plan> plans) {
        List<PartBuild> queued = plans.stream().map(Builds::build).toList();
        Json<List<PartBuild>> answer = builds.insertAll(tx, queued, Secrets.Shown.HIDDEN);
        for (int i = 0; i < plans.size(); i++) {
            jobs.insertAll(tx, jobs(tx, plans.get(i), queued.get(i)), Secrets.Shown.HIDDEN);
        }
        return answer;
    }

    private static PartBuild build(Plan plan) {
        return new PartBuild(
                Id.next(),
                plan.part().storeId(),
                Resources.now(),
                Resources.now(),
                plan.part().id(),
                plan.part().name(),
                null,
                null,
                null,
                null,
                null,
                plan.wish().label(),
                plan.wish().quantity(),
                plan.wish().priority(),
                Map.of(),
                plan.wish().plateQuantities(),
                null,
                plan.tags(),
                plan.part(),
                plan.copies().isEmpty() ? PartBuild.Status.success : PartBuild.Status.queued,
                null,
                null,
                null,
                null,
                false);
    }

    private List<PrintJob> jobs(Tx tx, Plan plan, PartBuild build) {
        List<Plan.Copy> copies = plan.copies();
        List<Long> taskIds = numbers.taskIds(tx, copies.size());
        List<Long> places = plan.wish().position() == BuildRequest.Position.front
                ? numbers.frontOfQueue(tx, copies.size())
                : numbers.endOfQueue(tx, copies.size());
        List<PrintJob> made = new ArrayList<>(copies.size());
        for (int i = 0; i < copies.size(); i++) {
            made.add(
                    plan.job(build, copies.get(i), places.get(i), taskIds.get(i).intValue()));
        }
        return made;
    }

    private static BuildPreview.PartPreview preview(Plan plan) {
        return new BuildPreview.PartPreview(
                "part",
                plan.part().id(),
                plan.part().name(),
                plan.part().thumbnailUri(),
                plan.wish().label(),
                plan.wish().quantity(),
                null,
                null,
                plan.wish().plateQuantities(),
                plan.copies().stream()
                        .map(copy -> new BuildPreview.JobPreview(
                                plan.wish().label(),
                                copy.quantityIndex(),
                                plan.wish().quantity(),
                                copy.sheet().plateId(),
                                copy.sheet().plateName(),
                                plan.thumbnail(copy.sheet())))
                        .toList());
    }
}
