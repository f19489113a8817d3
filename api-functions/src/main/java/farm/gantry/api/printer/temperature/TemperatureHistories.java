package farm.gantry.api.printer.temperature;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterState.Temperature;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Temperature histories of printers. */
@Controller
@Blocking
final class TemperatureHistories {
    private static final int MAX_HOURS = 24;

    private final Table<Printer> printers;
    private final TemperatureRows rows;
    private final Database database;
    private final InstantSource clock;

    TemperatureHistories(Tables tables, TemperatureRows rows, Database database, InstantSource clock) {
        this.printers = tables.of(Printer.class);
        this.rows = rows;
        this.database = database;
        this.clock = clock;
    }

    /**
     * Returns the temperatures of a printer in the last hours. There is a sample every 10 s for one hour, or every minute
     * for up to 24 hours. {@code hours} is 1 to 24, by default 1. A printer reports its temperatures only when they change;
     * the first sample may be older than {@code from} and is the one that still held then.
     */
    @Get("/v1/printers/{id}/temperatures")
    @RequiresPermission(Permission.PRINTER_VIEW)
    TemperatureHistory temperatures(Caller caller, String id, @QueryValue @Nullable Integer hours) {
        int count = hours == null ? 1 : hours;
        if (count < 1 || count > MAX_HOURS) {
            throw ProblemException.invalid("hours", "invalid", "hours must be a whole number from 1 to " + MAX_HOURS);
        }
        Resources.parseId(id);
        Instant now = clock.instant();
        Instant from = now.minus(Duration.ofHours(count));
        List<TemperatureSample> samples = database.in(caller, tx -> {
            if (printers.find(tx, id).isEmpty()) {
                throw ProblemException.notFound("printer");
            }
            return rows.since(tx, id, from);
        });
        return history(from, now, count == 1 ? samples : oneOfEachMinute(samples));
    }

    private static List<TemperatureSample> oneOfEachMinute(List<TemperatureSample> samples) {
        List<TemperatureSample> chosen = new ArrayList<>();
        Instant minute = Instant.MIN;
        for (TemperatureSample sample : samples) {
            Instant own = sample.at().truncatedTo(ChronoUnit.MINUTES);
            if (!own.equals(minute)) {
                chosen.add(sample);
                minute = own;
            }
        }
        return chosen;
    }

    private static TemperatureHistory history(Instant from, Instant to, List<TemperatureSample> samples) {
        SequencedSet<String> names = new TreeSet<>();
        samples.forEach(sample -> names.addAll(sample.heaters().keySet()));
        List<TemperatureHistory.Heater> heaters = names.stream()
                .map(name -> {
                    List<@Nullable Double> actual = new ArrayList<>();
                    List<@Nullable Double> target = new ArrayList<>();
                    samples.forEach(sample -> {
                        Temperature heater = sample.heaters().get(name);
                        actual.add(heater == null ? null : (Double) heater.actual());
                        target.add(heater == null ? null : (Double) heater.target());
                    });
                    return new TemperatureHistory.Heater(name, actual, target);
                })
                .toList();
        return new TemperatureHistory(
                from, to, samples.stream().map(TemperatureSample::at).toList(), heaters);
    }
}
