/** Classes that break each rule of the architecture, by which its tests are proved able to fail. */
@NullMarked
package farm.gantry.api.wrong;

import org.jspecify.annotations.NullMarked;
