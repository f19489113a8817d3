/** The routes of parts, and the ingest they begin. */
@NullMarked
package farm.gantry.api.part;

import org.jspecify.annotations.NullMarked;
