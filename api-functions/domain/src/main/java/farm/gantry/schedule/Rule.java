package farm.gantry.schedule;

/** What must be so before a printer gets a job, in the order in which it is looked at. */
public enum Rule {
    ENABLED("enabled", "Takes jobs"),
    ONLINE("online", "Can be reached"),
    STATE_KNOWN("state-known", "Is in order"),
    AVAILABLE("available", "Is free"),
    READY("ready", "Bed is clear"),
    PROFILES_CONFIGURED("profiles-configured", "Is set up for the file"),
    MODEL_MATCH("model-match", "Is the model the file was made for"),
    NOZZLE_MATCH("nozzle-match", "Has the nozzle the file was made for"),
    FITS_VOLUME("fits-volume", "Has the room"),
    SLOTS_LOADED("slots-loaded", "Filament is loaded"),
    TAGS_MATCH("tags-match", "Has what the tags ask for"),
    MATERIAL_MATCH("material-match", "Has the materials"),
    FILAMENT_PROFILES("filament-profiles", "Filaments can be sliced for"),
    IN_MAINTENANCE("in-maintenance", "Is not in maintenance"),
    THROTTLED("throttled", "May start now");

    private final String code;
    private final String label;

    Rule(String code, String label) {
        this.code = code;
        this.label = label;
    }

    public String code() {
        return code;
    }

    public String label() {
        return label;
    }

    /** Whether it is about the printer alone, whatever the job. */
    boolean isOfPrinter() {
        return switch (this) {
            case ENABLED, ONLINE, STATE_KNOWN, AVAILABLE, READY, IN_MAINTENANCE -> true;
            case PROFILES_CONFIGURED,
                    MODEL_MATCH,
                    NOZZLE_MATCH,
                    FITS_VOLUME,
                    SLOTS_LOADED,
                    TAGS_MATCH,
                    MATERIAL_MATCH,
                    FILAMENT_PROFILES,
                    THROTTLED -> false;
        };
    }

    /** Whether a printer that fails it gets no job; who is throttled gets one, and starts it later. */
    boolean isInTheWay() {
        return this != THROTTLED;
    }
}
