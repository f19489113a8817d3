/** The ZIP archive of a 3MF file and its XML entries: bounded reading and rewriting. */
@NullMarked
package farm.gantry.ingest.threemf.archive;

import org.jspecify.annotations.NullMarked;
