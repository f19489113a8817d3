package farm.gantry.cost;

/** The cost of prints, in cents; {@code scrapCents} is the share of the others spent on unusable pieces. */
public record Cost(
        double filamentCents, double machineCents, double energyCents, double labourCents, double scrapCents) {
    public static final Cost NOTHING = new Cost(0, 0, 0, 0, 0);

    public Cost plus(Cost other) {
        return new Cost(
                filamentCents + other.filamentCents,
                machineCents + other.machineCents,
                energyCents + other.energyCents,
                labourCents + other.labourCents,
                scrapCents + other.scrapCents);
    }

    /** Returns so many times this cost. */
    public Cost multipliedBy(double share) {
        return new Cost(
                filamentCents * share,
                machineCents * share,
                energyCents * share,
                labourCents * share,
                scrapCents * share);
    }

    public double totalCents() {
        return filamentCents + machineCents + energyCents + labourCents;
    }
}
