package farm.gantry.promise;

/** The random outcomes of a run: by how many standard deviations times are off, and after which share of its time a print fails. */
interface RandomOutcomes {
    RandomOutcomes NONE = new RandomOutcomes() {
        @Override
        public double printDeviations(int index) {
            return 0;
        }

        @Override
        public double failureShare(int job, int failures) {
            return 2;
        }

        @Override
        public double clearingDeviations(int printer, int count) {
            return 0;
        }

        @Override
        public double farmMeanDeviations() {
            return 0;
        }

        @Override
        public double printerMeanDeviations(int printer) {
            return 0;
        }
    };

    /** Returns the deviation of a queued job's print, or, at -1 - printer, of the printer's current one. */
    double printDeviations(int index);

    /** The share of its time after which the job fails; above 1 where it does not. */
    double failureShare(int job, int failures);

    /** Returns by how many standard deviations the time is off in which a person clears the printer's bed for the nth time. */
    double clearingDeviations(int printer, int count);

    /** Returns by how many standard errors the learned means are off, for all prints of the run. */
    double farmMeanDeviations();

    /** Returns by how many standard errors the printer's own mean is off, for all its prints of the run. */
    double printerMeanDeviations(int printer);
}
