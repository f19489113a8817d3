package farm.gantry.simulator.printer;

/** A simulated heater. It approaches its target over time, and cools down to room temperature when it is off. */
public record Heater(double temperature, double target, double seconds) {
    private static final double ROOM = 23;
    private static final double DRIVE = 60;
    private static final double WARM_ENOUGH = 2;
    private static final double COOLING = 4;

    static Heater cold(double seconds) {
        return new Heater(ROOM, 0, seconds);
    }

    Heater heatTo(double newTarget) {
        return new Heater(temperature, newTarget, seconds);
    }

    Heater atTarget() {
        return new Heater(target, target, seconds);
    }

    public Heater advance(double elapsed) {
        if (temperature < target) {
            double driven = approach(target + DRIVE, seconds, elapsed);
            return new Heater(Math.min(target, driven), target, seconds);
        }
        double cooled = approach(ROOM, seconds * COOLING, elapsed);
        return new Heater(Math.max(target, cooled), target, seconds);
    }

    private double approach(double end, double time, double elapsed) {
        return end + (temperature - end) * Math.exp(-elapsed / time);
    }

    boolean isWarm() {
        return temperature >= target - WARM_ENOUGH;
    }
}
