package farm.gantry.local;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/** The CPU time of processes on Linux, in clock ticks. */
final class CpuTicks {
    static final double PER_SECOND = 100;
    /** Milliseconds of a tick. */
    static final double MILLIS = 1000 / PER_SECOND;

    private CpuTicks() {}

    /** Returns the ticks of PostgreSQL with its data in the folder, with all its processes. */
    static double ofPostgres(Path folder) throws IOException {
        long postmaster = Long.parseLong(Files.readAllLines(folder.resolve("data/postmaster.pid"))
                .getFirst()
                .strip());
        double sum = of(postmaster, true);
        for (ProcessHandle process :
                ProcessHandle.of(postmaster).orElseThrow().children().toList()) {
            sum += of(process.pid(), true);
        }
        return sum;
    }

    /** Returns the ticks of the process, and of its children that ended. */
    static double of(long pid, boolean withChildren) throws IOException {
        return read(Path.of("/proc", "" + pid, "stat"), withChildren);
    }

    /** Returns the ticks of a JVM without those of the threads that compile its methods. */
    static double withoutCompilers(long pid) throws IOException {
        double sum = of(pid, false);
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", "" + pid, "task"))) {
            for (Path thread : threads) {
                if (Files.readString(thread.resolve("comm")).matches("C[12] Compiler.*\\s*")) {
                    sum -= read(thread.resolve("stat"), false);
                }
            }
        } catch (NoSuchFileException e) {
            return withoutCompilers(pid); // a thread ended meanwhile
        }
        return sum;
    }

    /** Returns user and system time, fields 14 and 15 of the line; 16 and 17 are those of children that ended. */
    private static double read(Path stat, boolean withChildren) throws IOException {
        if (!Files.exists(stat)) {
            return 0;
        }
        String line = Files.readString(stat);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return Arrays.stream(fields, 11, withChildren ? 15 : 13)
                .mapToDouble(Double::parseDouble)
                .sum();
    }
}
