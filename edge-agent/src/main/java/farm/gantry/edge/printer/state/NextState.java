package farm.gantry.edge.printer.state;

/**
 * The states that may follow each state. The methods that handle a state return one of these types, so no other
 * transition compiles: a start, for example, is sent only after {@link JobState.Preparing} and {@link
 * JobState.Prepared}.
 */
sealed interface NextState extends JobState {
    /** The states that may follow {@link JobState.Idle} and {@link JobState.ForeignPrint}. */
    sealed interface AfterNoJob extends NextState permits NoJob, Preparing {}

    sealed interface AfterPreparing extends NextState permits Preparing, Prepared, AfterUpload {}

    sealed interface AfterPrepared extends NextState permits Prepared, AfterUpload {}

    /** The states that may follow the check of the printer right before a start. */
    sealed interface AfterUpload extends AfterPreparing, AfterPrepared permits NoJob, StartedState.Starting {}

    sealed interface AfterStarting extends NextState
            permits NoJob,
                    StartedState.Starting,
                    StartedState.CancellingStart,
                    StartedState.ActivePrint,
                    UnconfirmedState.StartUnconfirmed {}

    sealed interface AfterCancellingStart extends NextState
            permits NoJob,
                    StartedState.CancellingStart,
                    StartedState.Cancelling,
                    UnconfirmedState.CancellingUnconfirmed {}

    sealed interface AfterAccepted extends NextState
            permits StartedState.ActivePrint,
                    StartedState.Cancelling,
                    UnconfirmedState.BeginUnconfirmed,
                    UnconfirmedState.EndUnconfirmed {}

    /** The states that may follow {@link StartedState.Printing} and {@link StartedState.Paused}. */
    sealed interface AfterSeenPrint extends NextState
            permits Idle, StartedState.SeenPrint, StartedState.Cancelling, UnconfirmedState.PrintLost {}

    sealed interface AfterCancelling extends NextState
            permits Idle, StartedState.Cancelling, UnconfirmedState.CancellingUnconfirmed {}

    /**
     * The states that may follow {@link UnconfirmedState.StartUnconfirmed}, {@link UnconfirmedState.BeginUnconfirmed}
     * and {@link UnconfirmedState.EndUnconfirmed}.
     */
    sealed interface AfterUnseenPrint extends NextState
            permits Idle,
                    StartedState.ActivePrint,
                    UnconfirmedState.UnseenPrint,
                    UnconfirmedState.CancellingUnconfirmed {}

    sealed interface AfterPrintLost extends NextState
            permits Idle, StartedState.SeenPrint, UnconfirmedState.PrintLost, UnconfirmedState.CancellingUnconfirmed {}

    sealed interface AfterCancellingUnconfirmed extends NextState
            permits Idle, StartedState.Cancelling, UnconfirmedState.CancellingUnconfirmed {}
}
