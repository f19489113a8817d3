package farm.gantry.api.main.command;

import farm.gantry.api.main.doctor.Finding;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code doctor}: checks the server on this machine and what it needs, and prints how to fix each problem. It changes
 * nothing and works whether the server runs or not.
 */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = "Checks the server on this machine: data folder, disk, database, port, certificate, programs and"
                + " backups. Changes nothing; exits with 1 if a check fails.")
final class MachineDoctorCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private final MachineOptions server = new MachineOptions();

    @Override
    public Integer call() throws InterruptedException {
        List<Finding> findings = server.check();
        findings.forEach(finding -> spec.commandLine().getOut().println(finding.line()));
        return findings.stream().anyMatch(Finding::isFailure) ? 1 : 0;
    }
}
