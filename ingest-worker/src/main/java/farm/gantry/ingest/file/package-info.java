/** Readers by file type, and the files of a run. */
@NullMarked
package farm.gantry.ingest.file;

import org.jspecify.annotations.NullMarked;
