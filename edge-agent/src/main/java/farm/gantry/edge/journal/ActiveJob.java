package farm.gantry.edge.journal;

/** A job that has not ended, how far it has come, whether it is to be cancelled, and whether a pause of it waits. */
public record ActiveJob(Job job, JobStep step, boolean cancelling, boolean pausing) {}
