package farm.gantry.aws;

import static farm.gantry.aws.SynthesizedStages.WITH_IOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.aws.StageCosts.CostLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the estimated costs of the stages. */
final class StageCostsTest {
    @TempDir
    Path folder;

    /** Returns the settings of a stage in a region, with the settings of {@code lines} changed. */
    private StageSettings stage(String name, String region, String... lines) throws IOException {
        String text = Files.readString(Path.of("stages", name + ".properties"))
                .replaceFirst("(?m)^region=.*$", "region=" + region);
        for (String line : lines) {
            text = text.replaceFirst("(?m)^" + line.replaceAll("=.*", "") + "=.*$", line);
        }
        Files.writeString(folder.resolve(name + ".properties"), text);
        return StageSettings.read(folder, name);
    }

    private static CostLine line(List<CostLine> lines, String what) {
        return lines.stream()
                .filter(each -> each.what().equals(what))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev", "prod", WITH_IOT})
    void alarmsAreCounted(String stage) {
        SynthesizedStages stages = SynthesizedStages.all();
        stages.assumeSynthesized();
        assertThat(stages.of(stage, "AWS::CloudWatch::Alarm")).hasSize(StageCosts.countAlarms(stages.settings(stage)));
    }

    @ParameterizedTest
    @CsvSource({"us-east-1, 43.80, 3.90, 1.90", "eu-central-1, 51.10, 4.28, 2.28"})
    void pricesAreThoseOfTheStagesRegion(String region, double database, double io, double requests)
            throws IOException {
        List<CostLine> lines = StageCosts.estimate(stage("prod", region), 1000);
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.isKnown()).as(line.what()).isTrue());
        assertThat(line(lines, "database").dollars()).isCloseTo(database, within(0.01));
        assertThat(line(lines, "database I/O").dollars()).isCloseTo(io, within(0.01));
        assertThat(line(lines, "people: CloudFront").dollars() * 5 / 6).isCloseTo(requests, within(0.01));
    }

    @ParameterizedTest
    @ValueSource(strings = {"us-east-1", "eu-central-1"})
    void requestsOfAThousandPrintersCostLessThan45Dollars(String region) throws IOException {
        List<CostLine> lines = StageCosts.estimate(stage("prod", region), 1000);
        assertThat(sum(lines, "requests")).isLessThan(45);
        assertThat(lines).extracting(CostLine::kind).contains("requests", "fixed", "egress");
        assertThat(lines).allSatisfy(line -> assertThat(line.arithmetic()).isNotEmpty());
    }

    /** MQTT costs more than the link's HTTP address; it is for agents that can use only MQTT. */
    @Test
    void requestsByMqttCostLessThan110Dollars() throws IOException {
        assertThat(sum(StageCosts.estimate(stage("prod", "us-east-1", "iot=true"), 1000), "requests"))
                .isBetween(45.0, 110.0);
    }

    private static double sum(List<CostLine> lines, String kind) {
        return lines.stream()
                .filter(line -> line.kind().equals(kind))
                .mapToDouble(CostLine::dollars)
                .sum();
    }

    @Test
    void cacheOfAgentsReducesTheTrafficOfPrintFiles() throws IOException {
        CostLine files = line(StageCosts.estimate(stage("prod", "us-east-1"), 1000), "print files to agents");
        assertThat(files.dollars()).isCloseTo(65.70, within(0.01));
        assertThat(files.arithmetic()).endsWith("without the cache, 121,667 prints cost $219.00");
    }

    @Test
    void unknownPriceIsReportedAndNotCounted() throws IOException {
        StageSettings stage = stage("prod", "eu-central-1", "iot=true");
        assertThat(line(StageCosts.estimate(stage, 1000), "link: IoT Core messages")
                        .isKnown())
                .isFalse();
        assertThat(StageCosts.table(stage, 1000))
                .contains("not known  link: IoT Core messages")
                .contains(" = all, in dollars, without 2 lines whose price is not known for eu-central-1")
                .doesNotContain("NaN");
    }

    @Test
    void regionWithoutPricesIsReported() throws IOException {
        assertThat(StageCosts.table(stage("dev", "ap-south-1"), 1000))
                .contains("The prices of ap-south-1 are not known; those of us-east-1, eu-west-1, eu-central-1 are.")
                .contains("not known  database ");
    }
}
