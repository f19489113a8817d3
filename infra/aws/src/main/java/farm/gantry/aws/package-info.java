/** The farm on AWS: what there is, who may do what, what it costs, and how it is deployed. */
@NullMarked
package farm.gantry.aws;

import org.jspecify.annotations.NullMarked;
