package farm.gantry.edge.printer;

/** Reasons for which the agent refuses a job before its print begins. */
final class RefusalReason {
    static final String BED_USED = "the bed was used after the farm chose this printer";
    static final String CANCELLED = "the job was cancelled before it began";
    static final String API_SILENT =
            "the API has not answered for so long that it may have cancelled the job meanwhile";
    static final String EXPIRED = "the job expired before the agent could start it";
    static final String OFFLINE = "the printer did not come online before the job expired";

    private RefusalReason() {}
}
