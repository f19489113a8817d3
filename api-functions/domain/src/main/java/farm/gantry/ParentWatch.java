package farm.gantry;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class and shuts it down when the parent process exits, so that a killed parent leaves no process running. Arguments:
 * parent process id, main class, its arguments.
 */
public final class ParentWatch {
    private ParentWatch() {}

    public static void main(String[] arguments) throws ReflectiveOperationException {
        ProcessHandle parent = ProcessHandle.of(Long.parseLong(arguments[0])).orElse(null);
        Thread.ofPlatform().daemon().name("parent-watch").start(() -> {
            if (parent != null) {
                parent.onExit().join();
            }
            System.exit(1);
        });
        try {
            Class.forName(arguments[1]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(arguments, 2, arguments.length));
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(arguments[1] + " failed", e.getCause());
        }
    }
}
