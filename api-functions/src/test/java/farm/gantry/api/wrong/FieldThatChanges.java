package farm.gantry.api.wrong;

public final class FieldThatChanges {
    private int count;

    int next() {
        return ++count;
    }
}
