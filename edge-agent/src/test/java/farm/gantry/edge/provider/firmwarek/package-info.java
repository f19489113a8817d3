@NullMarked
package farm.gantry.edge.provider.firmwarek;

import org.jspecify.annotations.NullMarked;
