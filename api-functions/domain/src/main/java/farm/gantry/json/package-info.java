/** JSON trees and merge patches. */
@NullMarked
package farm.gantry.json;

import org.jspecify.annotations.NullMarked;
