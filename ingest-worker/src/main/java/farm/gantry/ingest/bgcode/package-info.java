/** Prusa's binary G-code: the same words as in text, in packed blocks. */
@NullMarked
package farm.gantry.ingest.bgcode;

import org.jspecify.annotations.NullMarked;
