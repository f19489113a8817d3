package farm.gantry.api.printer.temperature;

import farm.gantry.api.database.Tx;
import farm.gantry.printer.PrinterState.Temperature;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Statements on the temperatures of the last 24 hours. */
@Singleton
final class TemperatureRows {
    /** Adds a sample of each printer, by printer id. */
    void add(Tx tx, SortedMap<String, TemperatureSample> samples) {
        List<String> slots = new ArrayList<>();
        List<String> minutes = new ArrayList<>();
        List<String> heaters = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (TemperatureSample sample : samples.values()) {
            LocalTime time = LocalTime.ofInstant(sample.at(), ZoneOffset.UTC);
            slots.add(String.valueOf(time.get(ChronoField.MINUTE_OF_DAY)));
            minutes.add(sample.at().truncatedTo(ChronoUnit.MINUTES).toString());
            heaters.add(String.join(",", sample.heaters().keySet()));
            StringJoiner numbers = new StringJoiner(",", "{", "}").add(String.valueOf(time.getSecond()));
            sample.heaters()
                    .values()
                    .forEach(heater ->
                            numbers.add(String.valueOf(heater.actual())).add(String.valueOf(heater.target())));
            values.add(numbers.toString());
        }
        tx.update(
                """
                insert into farm."temperatureMinute" as stored ("storeId", "printerId", slot, minute, heaters, samples)
                select ?, sample.id, sample.slot::smallint, sample.minute::timestamptz, string_to_array(sample.heaters, ','),
                  sample."values"::real[]
                from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[]) sample (id, slot, minute, heaters, "values")
                order by sample.id
                on conflict ("storeId", "printerId", slot) do update set minute = excluded.minute, heaters = excluded.heaters,
                  samples = case when stored.minute = excluded.minute and stored.heaters = excluded.heaters
                    then stored.samples || excluded.samples else excluded.samples end""",
                tx.store().value(),
                samples.keySet().toArray(String[]::new),
                slots.toArray(String[]::new),
                minutes.toArray(String[]::new),
                heaters.toArray(String[]::new),
                values.toArray(String[]::new));
    }

    /**
     * Returns the samples of a printer since a time, oldest first, preceded by the last one before it. A printer that
     * keeps its temperatures reports none.
     */
    List<TemperatureSample> since(Tx tx, String printerId, Instant from) {
        List<List<TemperatureSample>> minutes = tx.list(
                """
                select minute, heaters, samples from farm."temperatureMinute"
                where "storeId" = ? and "printerId" = ? and minute >= coalesce((
                  select max(minute) from farm."temperatureMinute"
                  where "storeId" = ? and "printerId" = ? and minute < date_trunc('minute', ?::timestamptz)), '-infinity')
                order by minute""",
                TemperatureRows::minute,
                tx.store().value(),
                printerId,
                tx.store().value(),
                printerId,
                from.toString());
        List<TemperatureSample> samples = minutes.stream().flatMap(List::stream).toList();
        int first = 0;
        while (first + 1 < samples.size() && !samples.get(first + 1).at().isAfter(from)) {
            first++;
        }
        return samples.subList(first, samples.size());
    }

    private static List<TemperatureSample> minute(ResultSet rows) throws SQLException {
        Instant minute = rows.getTimestamp(1).toInstant();
        String[] heaters = (String[]) rows.getArray(2).getArray();
        Float[] numbers = (Float[]) rows.getArray(3).getArray();
        List<TemperatureSample> samples = new ArrayList<>();
        for (int start = 0; start < numbers.length; start += 1 + 2 * heaters.length) {
            SortedMap<String, Temperature> temperatures = new TreeMap<>();
            for (int i = 0; i < heaters.length; i++) {
                temperatures.put(
                        heaters[i],
                        new Temperature(decimal(numbers[start + 1 + 2 * i]), decimal(numbers[start + 2 + 2 * i])));
            }
            samples.add(new TemperatureSample(minute.plusSeconds(numbers[start].longValue()), temperatures));
        }
        return samples;
    }

    /** Returns the number without the digits that a plain conversion adds: 219.8, not 219.80000305. */
    private static double decimal(float number) {
        return Double.parseDouble(Float.toString(number));
    }
}
