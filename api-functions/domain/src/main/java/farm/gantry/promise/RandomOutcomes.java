package farm.gantry.promise;

/** The random outcomes of a simulation run: the deviations of times, in standard deviations, and the failures of prints. */
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

    /** Returns the deviation of a queued job's print, or for the index -1 - printer, of the printer's current print. */
    double printDeviations(int index);

    /** Returns the share of its duration after which the job's print fails; above 1 if it succeeds. */
    double failureShare(int job, int failures);

    /** Returns the deviation of the time in which a person clears the printer's bed for the nth time. */
    double clearingDeviations(int printer, int count);

    /** Returns by how many standard errors the learned means are off. It applies to all prints of the run. */
    double farmMeanDeviations();

    /** Returns by how many standard errors the printer's own mean is off. It applies to all its prints in the run. */
    double printerMeanDeviations(int printer);
}
