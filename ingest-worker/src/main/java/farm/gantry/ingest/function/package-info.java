/** The worker as a function on AWS: files in a bucket, requests from a queue, answers to queues. */
@NullMarked
package farm.gantry.ingest.function;

import org.jspecify.annotations.NullMarked;
