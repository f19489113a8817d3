package farm.gantry.schedule;

/** The rules that must hold before a printer gets a job, in the order in which they are checked. */
public enum Rule {
    ENABLED("enabled", "Takes jobs", Subject.PRINTER),
    ONLINE("online", "Can be reached", Subject.PRINTER),
    STATE_KNOWN("state-known", "Is in order", Subject.PRINTER),
    AVAILABLE("available", "Is free", Subject.PRINTER),
    READY("ready", "Bed is clear", Subject.PRINTER),
    PROFILES_CONFIGURED("profiles-configured", "Is set up for the file", Subject.JOB),
    MODEL_MATCH("model-match", "Is the model the file was made for", Subject.JOB),
    NOZZLE_MATCH("nozzle-match", "Has the nozzle the file was made for", Subject.JOB),
    FITS_VOLUME("fits-volume", "Has the room", Subject.JOB),
    FITS_AREA("fits-area", "Prints on the bed", Subject.JOB),
    TEMPERATURE_LIMIT("temperature-limit", "Is not too hot for the printer", Subject.JOB),
    EXTRUDES("extrudes", "Is a print", Subject.JOB),
    SLOTS_LOADED("slots-loaded", "Filament is loaded", Subject.JOB),
    TAGS_MATCH("tags-match", "Has what the tags ask for", Subject.JOB),
    MATERIAL_MATCH("material-match", "Has the materials", Subject.JOB),
    MATERIAL_SUFFICIENT("material-insufficient", "Has enough filament", Subject.JOB),
    FILAMENT_PROFILES("filament-profiles", "Filaments can be sliced for", Subject.JOB),
    IN_MAINTENANCE("in-maintenance", "Is not in maintenance", Subject.PRINTER),
    QUARANTINED("quarantined", "Is not in quarantine", Subject.PRINTER),
    FAILED_THERE("failed-there", "Has not failed with the job", Subject.JOB),
    PART_HELD("part-held", "Part is not on hold", Subject.JOB),
    QUEUE_PAUSED("queue-paused", "Queue is not paused", Subject.PRINTER),
    THROTTLED("throttled", "May start now", Subject.JOB);

    private final String code;
    private final String label;
    private final Subject subject;

    /** The subject of a rule: the printer alone, or a requirement of the job. */
    private enum Subject {
        PRINTER,
        JOB
    }

    Rule(String code, String label, Subject subject) {
        this.code = code;
        this.label = label;
        this.subject = subject;
    }

    public String code() {
        return code;
    }

    public String label() {
        return label;
    }

    /** Returns whether it is about the printer alone, whatever the job. */
    boolean isOfPrinter() {
        return subject == Subject.PRINTER;
    }

    /**
     * Returns whether a printer that fails this rule gets no job. A throttled printer gets one and starts it later; a printer
     * with too little filament gets none only when the store's settings say so.
     */
    boolean preventsAssignment() {
        return this != THROTTLED && this != MATERIAL_SUFFICIENT;
    }
}
