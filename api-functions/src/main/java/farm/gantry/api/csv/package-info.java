/** Imports of records from CSV files. */
@NullMarked
package farm.gantry.api.csv;

import org.jspecify.annotations.NullMarked;
