package farm.gantry.builds;

/** Takes what is wrong with a wish: where, a stable code, and a sentence. */
@FunctionalInterface
public interface Wrongs {
    void add(String path, String code, String message);
}
