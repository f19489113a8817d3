package farm.gantry.edge.journal;

/** A job that has not ended, how far it has come, and whether it is to be cancelled. */
public record ActiveJob(Job job, JobStep step, boolean cancelling) {}
