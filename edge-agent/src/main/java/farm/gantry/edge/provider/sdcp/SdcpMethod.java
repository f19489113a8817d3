package farm.gantry.edge.provider.sdcp;

/** The commands of SDCP, by their numbers. */
enum SdcpMethod {
    status(0),
    start(128),
    pause(129),
    stop(130),
    resume(131),
    abortUpload(255),
    history(320),
    tasks(321),
    film(386),
    move(401),
    home(402),
    set(403);

    private final int number;

    SdcpMethod(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
