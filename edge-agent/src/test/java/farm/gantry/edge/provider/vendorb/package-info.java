@NullMarked
package farm.gantry.edge.provider.vendorb;

import org.jspecify.annotations.NullMarked;
