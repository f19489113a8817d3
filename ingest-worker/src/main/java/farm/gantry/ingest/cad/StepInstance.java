package farm.gantry.ingest.cad;

import java.util.List;
import java.util.Map;

/**
 * An instance of a STEP file: arguments by type. An argument is a {@code Double}, a {@code String} (the token of an enumeration, or the
 * text), a {@link Reference}, a {@code List}, or {@link #OMITTED}.
 */
record StepInstance(Map<String, List<Object>> arguments) {
    static final Object OMITTED = new Object();

    record Reference(int id) {}

    boolean is(String type) {
        return arguments.containsKey(type);
    }

    /** The only type of the instance; the first of several. */
    String type() {
        return arguments.keySet().iterator().next();
    }

    Object argument(String type, int index) throws UnsupportedStepException {
        List<Object> all = arguments.getOrDefault(type, List.of());
        if (index >= all.size()) {
            throw new UnsupportedStepException(type + " has no argument " + (index + 1));
        }
        return all.get(index);
    }

    Object argument(int index) throws UnsupportedStepException {
        return argument(type(), index);
    }

    double number(int index) throws UnsupportedStepException {
        return number(argument(index));
    }

    List<?> list(int index) throws UnsupportedStepException {
        return list(argument(index));
    }

    boolean isTrue(int index) throws UnsupportedStepException {
        Object argument = argument(index);
        if (!argument.equals("T") && !argument.equals("F")) {
            throw new UnsupportedStepException(type() + " has neither .T. nor .F.");
        }
        return argument.equals("T");
    }

    static double number(Object argument) throws UnsupportedStepException {
        if (argument instanceof Double number) {
            return number;
        }
        throw new UnsupportedStepException("a number is missing");
    }

    static List<?> list(Object argument) throws UnsupportedStepException {
        if (argument instanceof List<?> list) {
            return list;
        }
        throw new UnsupportedStepException("a list is missing");
    }
}
