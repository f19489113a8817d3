package farm.gantry.ingest.cad;

import java.util.Map;

/** The unit of length of a STEP file. */
final class StepUnits {
    private static final Map<Object, Double> MM_BY_PREFIX = Map.of(
            StepInstance.OMITTED, 1000.0, "MILLI", 1.0, "CENTI", 10.0, "DECI", 100.0, "MICRO", 0.001, "KILO", 1e6);
    private static final int MAX_CONVERSIONS = 4;

    private StepUnits() {}

    /** Returns the length of the file's unit in mm. All contexts of the file must have the same unit. */
    static double millimetresPerUnit(StepFile file) throws UnsupportedStepException {
        double scale = 0;
        for (int id : file.ids(StepFile.COMPLEX)) {
            StepInstance context = file.instance(id);
            if (context.is("GLOBAL_UNIT_ASSIGNED_CONTEXT")) {
                for (Object unit : StepInstance.list(context.argument("GLOBAL_UNIT_ASSIGNED_CONTEXT", 0))) {
                    StepInstance instance = file.instance(unit);
                    double found = instance.is("LENGTH_UNIT") ? millimetresPerUnit(file, instance, 0) : scale;
                    if (scale != 0 && found != scale) {
                        throw new UnsupportedStepException("several units of length");
                    }
                    scale = found;
                }
            }
        }
        if (!(scale > 0)) {
            throw new UnsupportedStepException("no unit of length");
        }
        return scale;
    }

    private static double millimetresPerUnit(StepFile file, StepInstance unit, int conversions)
            throws UnsupportedStepException {
        if (unit.is("SI_UNIT")) {
            Double scale = MM_BY_PREFIX.get(unit.argument("SI_UNIT", 0));
            if (scale != null && "METRE".equals(unit.argument("SI_UNIT", 1))) {
                return scale;
            }
        } else if (unit.is("CONVERSION_BASED_UNIT") && conversions < MAX_CONVERSIONS) {
            StepInstance measure = file.instance(unit.argument("CONVERSION_BASED_UNIT", 1));
            return measure.number(0) * millimetresPerUnit(file, file.instance(measure.argument(1)), conversions + 1);
        }
        throw new UnsupportedStepException("a unit of length that is not known");
    }
}
