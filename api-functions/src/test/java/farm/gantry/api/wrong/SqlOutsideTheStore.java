package farm.gantry.api.wrong;

import java.sql.SQLException;

public record SqlOutsideTheStore(SQLException sql) {}
