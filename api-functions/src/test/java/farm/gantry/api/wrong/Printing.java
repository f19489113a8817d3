package farm.gantry.api.wrong;

public record Printing(String text) {
    void print() {
        System.out.println(text);
    }
}
