/** 3MF projects: plates, texts and splits. */
@NullMarked
package farm.gantry.ingest.threemf;

import org.jspecify.annotations.NullMarked;
