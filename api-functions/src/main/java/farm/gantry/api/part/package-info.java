/** Parts: routes, intake of files, ingest reports and estimates. */
@NullMarked
package farm.gantry.api.part;

import org.jspecify.annotations.NullMarked;
