/** 3MF files: reading, splitting, text and rewriting. */
@NullMarked
package farm.gantry.ingest.threemf;

import org.jspecify.annotations.NullMarked;
