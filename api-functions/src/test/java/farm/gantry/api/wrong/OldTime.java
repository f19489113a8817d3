package farm.gantry.api.wrong;

import java.util.Calendar;

public record OldTime(Calendar when) {}
