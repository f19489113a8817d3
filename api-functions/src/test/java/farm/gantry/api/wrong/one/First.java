package farm.gantry.api.wrong.one;

import farm.gantry.api.wrong.two.Second;
import org.jspecify.annotations.Nullable;

public record First(@Nullable Second second) {}
