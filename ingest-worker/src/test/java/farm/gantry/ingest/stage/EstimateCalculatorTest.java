package farm.gantry.ingest.stage;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.part.Part;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.part.SlicingEstimate.Material;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EstimateCalculatorTest {
    @TempDir
    Path folder;

    private SlicingEstimate estimateOfPlateWeighing(String grams) throws IOException {
        Path file = ThreemfFiles.slicedOnce()
                .with("Metadata/slice_info.config", """
                        <config><plate>
                          <metadata key="index" value="1"/>
                          <metadata key="prediction" value="1216"/>
                          <metadata key="weight" value="%s"/>
                          <filament id="1" type="PLA" color="#00AE42" used_m="2.00" used_g="6.00"/>
                          <filament id="2" type="PLA" color="#FF0000" used_m="1.00" used_g="3.00"/>
                        </plate></config>
                        """.formatted(grams))
                .write(folder);
        ReadResult reading = new ThreemfReader(Part.Type.THREE_MF).read(file);
        assertThat(EstimateCalculator.estimate(reading, Instant.EPOCH))
                .isInstanceOf(EstimateCalculator.KnownEstimate.class);
        return ((EstimateCalculator.KnownEstimate) EstimateCalculator.estimate(reading, Instant.EPOCH)).estimate();
    }

    @Test
    void purgedFilamentIsCountedByTheSharesOfTheFilaments() throws IOException {
        SlicingEstimate estimate = estimateOfPlateWeighing("12.00");
        assertThat(estimate.totalWeightGrams()).isEqualTo(12);
        assertThat(estimate.materials()).extracting(Material::usedGrams).containsExactly(8.0, 4.0);
    }

    @Test
    void roundedWeightOfAPlateIsNoPurge() throws IOException {
        assertThat(estimateOfPlateWeighing("9.02").materials())
                .extracting(Material::usedGrams)
                .containsExactly(6.0, 3.0);
    }
}
