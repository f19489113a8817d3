package farm.gantry.edge.printer.state;

import farm.gantry.edge.journal.Job;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.PendingRequest;
import farm.gantry.edge.printer.state.Transition.Action;
import farm.gantry.printer.PrinterState.Status;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a requested pause or resume is sent. {@code pausesEarly} is whether the provider has {@link
 * Provider.Ability#PAUSE_WHILE_PREPARING}.
 */
record PauseRequests(boolean pausesEarly) {

    /**
     * A decision: the request that stays pending, and the action that sends the request now, null if it is not sent
     * now.
     */
    record Decision(PendingRequest pending, @Nullable Action action) {
        private static final Decision NOTHING = new Decision(PendingRequest.NONE, null);

        <N extends JobState> Transition<N> addTo(Transition<N> transition) {
            return action == null ? transition : transition.then(action);
        }
    }

    /** Returns whether the printer's print has reached the point at which it can be paused. */
    boolean isPausable(PrinterStatus reading) {
        return pausesEarly || reading.status() != Status.preparing;
    }

    /**
     * Decides about the request for a print that the printer shows as not ended. A request that the print already meets
     * is dropped.
     */
    Decision decide(PendingRequest request, Job job, PrinterStatus reading) {
        boolean isPaused = reading.status() == Status.paused;
        return switch (request) {
            case NONE -> Decision.NOTHING;
            case PAUSE -> {
                if (!isPausable(reading)) {
                    yield new Decision(PendingRequest.PAUSE, null);
                }
                yield isPaused ? Decision.NOTHING : new Decision(PendingRequest.NONE, new Action.Pause(job));
            }
            case RESUME -> isPaused ? new Decision(PendingRequest.NONE, new Action.Resume(job)) : Decision.NOTHING;
        };
    }
}
