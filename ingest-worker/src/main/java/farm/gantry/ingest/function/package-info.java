/** The worker as an AWS Lambda function. */
@NullMarked
package farm.gantry.ingest.function;

import org.jspecify.annotations.NullMarked;
