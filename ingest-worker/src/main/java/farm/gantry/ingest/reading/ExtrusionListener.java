package farm.gantry.ingest.reading;

/** Receives extruded straight lines in print order; an arc is several. */
public interface ExtrusionListener {
    /** Ignores them. */
    ExtrusionListener NONE = new ExtrusionListener() {
        @Override
        public void line(double fromX, double fromY, double toX, double toY, double z, int tool) {}

        @Override
        public void discard() {}
    };

    /** Lengths in mm; {@code tool} counts from 0. */
    void line(double fromX, double fromY, double toX, double toY, double z, int tool);

    /** Discards the lines so far, because they belong to no object. */
    void discard();
}
