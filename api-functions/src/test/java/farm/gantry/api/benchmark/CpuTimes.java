package farm.gantry.api.benchmark;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The CPU time of processes by id, which is more reliable than rates on a busy machine. */
record CpuTimes(Map<Long, Duration> ofProcesses) {
    static CpuTimes of(Stream<ProcessHandle> processes) {
        return new CpuTimes(processes.collect(Collectors.toMap(
                ProcessHandle::pid, process -> process.info().totalCpuDuration().orElse(Duration.ZERO))));
    }

    /** Returns the CPU time in microseconds since {@code before}, without processes that ended meanwhile. */
    double microsSince(CpuTimes before) {
        return ofProcesses.entrySet().stream()
                .map(each -> each.getValue().minus(before.ofProcesses.getOrDefault(each.getKey(), Duration.ZERO)))
                .mapToLong(time -> time.toNanos() / 1000)
                .sum();
    }
}
