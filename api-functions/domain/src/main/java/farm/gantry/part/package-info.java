/** Parts: their record, parameters, metadata, ingest state and estimates. */
@NullMarked
package farm.gantry.part;

import org.jspecify.annotations.NullMarked;
