package farm.gantry.api.wrong.two;

import farm.gantry.api.wrong.one.First;
import org.jspecify.annotations.Nullable;

public record Second(@Nullable First first) {}
