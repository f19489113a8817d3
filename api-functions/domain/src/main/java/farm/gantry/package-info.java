/** Identifiers, permissions and the annotations by which records declare what a type cannot say. */
@NullMarked
package farm.gantry;

import org.jspecify.annotations.NullMarked;
