package farm.gantry.edge.provider.sdcp;

/** The commands of SDCP with their numbers. */
enum SdcpMethod {
    STATUS(0),
    START(128),
    PAUSE(129),
    STOP(130),
    RESUME(131),
    ABORT_UPLOAD(255),
    DELETE_FILES(259),
    HISTORY(320),
    TASKS(321),
    FILM(386),
    MOVE(401),
    HOME(402),
    SET(403);

    private final int number;

    SdcpMethod(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
