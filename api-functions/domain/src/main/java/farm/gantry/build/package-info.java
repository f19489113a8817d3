/** Orders to print: so many copies of a part. */
@NullMarked
package farm.gantry.build;

import org.jspecify.annotations.NullMarked;
