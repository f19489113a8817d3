package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.journal.JobStep;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.Idle;
import farm.gantry.edge.printer.state.JobState.NoJob;
import farm.gantry.edge.printer.state.JobState.Prepared;
import farm.gantry.edge.printer.state.JobState.Preparing;
import farm.gantry.edge.printer.state.NextState.AfterNoJob;
import farm.gantry.edge.printer.state.NextState.AfterPrepared;
import farm.gantry.edge.printer.state.NextState.AfterPreparing;
import farm.gantry.edge.printer.state.NextState.AfterUpload;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.wire.LinkRequest.Kind;

/** The transitions of a printer on which the farm has started no print. */
final class UnstartedTransitions {
    private final boolean forgetsPrints;

    /**
     * Creates the transitions; {@code forgetsPrints} is whether the provider has {@link
     * Provider.Ability#FORGETS_PRINTS}.
     */
    UnstartedTransitions(boolean forgetsPrints) {
        this.forgetsPrints = forgetsPrints;
    }

    Transition<? extends AfterNoJob> next(NoJob noJob, PrinterEvent event) {
        return switch (event) {
            case PrinterEvent.PrintRequested(Job job, var objection) ->
                objection == null
                        ? Transition.to(new Preparing(job, noJob)).then(new Action.Download(job))
                        : JobEndTransitions.endJob(noJob, job, Kind.jobRefused, objection);
            case PrinterEvent.StatusRead seen -> {
                BedCheck bed = checkBed(noJob, seen);
                Transition<NoJob> transition = Transition.to(bed.currentState());
                yield bed.bedUse() == null ? transition : transition.report(Kind.printerChanged, bed.bedUse());
            }
            default -> Transition.to(noJob);
        };
    }

    Transition<? extends AfterPreparing> next(Preparing preparing, PrinterEvent event) {
        Job job = preparing.job();
        NoJob before = preparing.before();
        return switch (event) {
            case PrinterEvent.Downloaded _ ->
                Transition.to(preparing).reach(job, JobStep.downloaded).then(new Action.Upload(job));
            case PrinterEvent.Uploaded(var _, PrinterStatus reading) ->
                reading == null
                        ? Transition.to(new Prepared(job, before)).reach(job, JobStep.uploaded)
                        : start(job, before, reading);
            case PrinterEvent.StatusRead seen -> {
                BedCheck bed = checkBed(before, seen);
                yield bed.bedUse() == null
                        ? Transition.to(new Preparing(job, bed.currentState()))
                        : JobEndTransitions.refuseForUsedBed(bed.currentState(), job, bed.bedUse());
            }
            case PrinterEvent.PreparationFailed failure -> JobEndTransitions.endUnprepared(before, job, failure);
            case PrinterEvent.CancelRequested _ -> JobEndTransitions.endJob(before, job, Kind.jobCancelled, null);
            default -> Transition.to(preparing);
        };
    }

    Transition<? extends AfterPrepared> next(Prepared prepared, PrinterEvent event) {
        Job job = prepared.job();
        NoJob before = prepared.before();
        return switch (event) {
            case PrinterEvent.Uploaded(var _, PrinterStatus reading)
            when reading != null -> start(job, before, reading);
            case PrinterEvent.StatusRead seen -> {
                BedCheck bed = checkBed(before, seen);
                yield bed.bedUse() == null
                        ? Transition.to(new Prepared(job, bed.currentState()))
                        : JobEndTransitions.refuseForUsedBed(bed.currentState(), job, bed.bedUse());
            }
            case PrinterEvent.PreparationFailed failure -> JobEndTransitions.endUnprepared(before, job, failure);
            case PrinterEvent.CancelRequested _ -> JobEndTransitions.endJob(before, job, Kind.jobCancelled, null);
            default -> Transition.to(prepared);
        };
    }

    /** Starts the print, unless the printer cannot print now or its bed was used since the farm last saw it. */
    private static Transition<? extends AfterUpload> start(Job job, NoJob before, PrinterStatus reading) {
        String objection = reading.startObjection();
        if (objection != null) {
            return JobEndTransitions.endJob(before, job, Kind.jobRefused, objection);
        }
        BedCheck bed = BedCheck.compare(before, reading, null);
        if (bed.bedUse() != null) {
            return JobEndTransitions.refuseForUsedBed(bed.currentState(), job, bed.bedUse());
        }
        Starting starting = new Starting(job, bed.currentState());
        return Transition.to(starting).reach(job, JobStep.uploaded).then(new Action.Start(starting));
    }

    private BedCheck checkBed(NoJob before, PrinterEvent.StatusRead seen) {
        return BedCheck.compare(
                isForgotten(before, seen) ? new Idle("", before.printCounter()) : before,
                seen.status(),
                seen.unobservedTime());
    }

    /** Returns whether the printer may have stopped showing its last print by itself while it was not observed. */
    private boolean isForgotten(NoJob before, PrinterEvent.StatusRead seen) {
        PrinterStatus reading = seen.status();
        return forgetsPrints
                && seen.unobservedTime() != null
                && before instanceof Idle
                && before.lastFile() != null
                && reading.isStartable()
                && reading.fileName().isEmpty();
    }
}
