package farm.gantry.api.benchmark;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How long processes were on the processors, by their ids, which tells more than rates do on a busy machine. */
record CpuTimes(Map<Long, Duration> ofProcesses) {
    static CpuTimes of(Stream<ProcessHandle> processes) {
        return new CpuTimes(processes.collect(Collectors.toMap(
                ProcessHandle::pid, process -> process.info().totalCpuDuration().orElse(Duration.ZERO))));
    }

    /** Microseconds since {@code before}; those of a process that ended in between are lost. */
    double microsSince(CpuTimes before) {
        return ofProcesses.entrySet().stream()
                .map(each -> each.getValue().minus(before.ofProcesses.getOrDefault(each.getKey(), Duration.ZERO)))
                .mapToLong(time -> time.toNanos() / 1000)
                .sum();
    }
}
