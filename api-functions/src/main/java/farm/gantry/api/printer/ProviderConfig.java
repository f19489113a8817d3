package farm.gantry.api.printer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/** What a printer's make is told with every print; what is not said is left out. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProviderConfig(
        @JsonProperty("use_ams") @Nullable Boolean useAms,
        @JsonProperty("do_bed_leveling") @Nullable Boolean doBedLeveling,
        @JsonProperty("do_flow_cali") @Nullable Boolean doFlowCali,
        @JsonProperty("bed_type") @Nullable String bedType,
        @JsonProperty("enable_timelapse") @Nullable Boolean enableTimelapse) {}
