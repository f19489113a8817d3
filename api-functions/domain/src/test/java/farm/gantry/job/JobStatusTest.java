package farm.gantry.job;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.job.JobStatus.Transition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the table of transitions: a status allows exactly the transitions in its row. */
class JobStatusTest {
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            Pending              | ASSIGN→Assigned FAIL→Failed CANCEL→Cancelled
            Assigned             | UNASSIGN→Pending SLICE→Slicing AWAIT_APPROVAL→Waiting-for-approval MAKE_READY→Ready-for-printer FAIL→Failed CANCEL→Cancelled
            Slicing              | UNASSIGN→Pending SLICED→Sliced FAIL→Failed CANCEL→Cancelled
            Sliced               | UNASSIGN→Pending FINALIZE→Finalizing FAIL→Failed CANCEL→Cancelled
            Finalizing           | UNASSIGN→Pending AWAIT_APPROVAL→Waiting-for-approval MAKE_READY→Ready-for-printer FAIL→Failed CANCEL→Cancelled
            WAITING_FOR_APPROVAL | UNASSIGN→Pending MAKE_READY→Ready-for-printer FAIL→Failed CANCEL→Cancelled
            READY_FOR_PRINTER    | UNASSIGN→Pending SEND→Sending-to-printer FAIL→Failed CANCEL→Cancelled
            SENDING_TO_PRINTER   | RETURN→Pending START→Printing COMPLETE→Completed FAIL→Failed CANCEL→Cancelled
            Printing             | PAUSE→Paused COMPLETE→Completed FAIL→Failed CANCEL→Cancelled
            Paused               | RESUME→Printing COMPLETE→Completed FAIL→Failed CANCEL→Cancelled
            Completed            | none
            Failed               | RETRY→Pending
            Cancelled            | RETRY→Pending
            """)
    void jobStatusChangesOnlyAsTheTableAllows(JobStatus from, String moves) {
        StringBuilder allowed = new StringBuilder();
        for (Transition move : Transition.values()) {
            from.after(move)
                    .ifPresent(
                            to -> allowed.append(' ').append(move).append('→').append(to.wireName()));
        }
        assertThat(allowed.toString().strip()).isEqualTo(moves.equals("none") ? "" : moves);
    }

    @ParameterizedTest
    @EnumSource
    void statusIsEitherWaitingOrActiveOrFinal(JobStatus status) {
        boolean waits = status == JobStatus.Pending;
        assertThat((waits ? 1 : 0) + (status.isActive() ? 1 : 0) + (status.isFinished() ? 1 : 0))
                .isEqualTo(1);
    }
}
