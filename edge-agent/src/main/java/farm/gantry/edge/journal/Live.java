package farm.gantry.edge.journal;

/** A job that has not ended, how far it has come, and whether it is to be cancelled. */
public record Live(Job job, Step step, boolean cancelling) {}
