package farm.gantry.ingest.reading;

/** Takes what a G-code extrudes in straight lines, in the order of its print; an arc comes as several. */
public interface Extrusions {
    /** Takes nothing. */
    Extrusions IGNORED = new Extrusions() {
        @Override
        public void line(double fromX, double fromY, double toX, double toY, double z, int tool) {}

        @Override
        public void forget() {}
    };

    /** Lengths in mm; {@code tool} counts from 0. */
    void line(double fromX, double fromY, double toX, double toY, double z, int tool);

    /** All lines until now turned out to belong to no object. */
    void forget();
}
