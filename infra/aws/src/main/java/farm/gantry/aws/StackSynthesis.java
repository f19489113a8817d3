package farm.gantry.aws;

import java.io.IOException;
import java.nio.file.Path;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;

/**
 * {@code STAGES STAGE FUNCTIONS INGEST AUTHORITIES OUT PRINTERS}: writes the CloudFormation template into a folder, and
 * prints the stage's costs.
 */
public final class StackSynthesis {
    private StackSynthesis() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 7) {
            throw new IllegalArgumentException("STAGES STAGE FUNCTIONS INGEST AUTHORITIES OUT PRINTERS");
        }
        StageSettings stage = StageSettings.read(Path.of(arguments[0]), arguments[1]);
        App app = new App(AppProps.builder().outdir(arguments[5]).build());
        new GantryStack(app, stage, new Artifacts(Path.of(arguments[2]), Path.of(arguments[3]), Path.of(arguments[4])));
        if (stage.hasFirewall()) {
            new FirewallStack(app, stage);
        }
        app.synth();
        if (stage.keepsData() && stage.alarmsTo().isEmpty()) {
            System.out.println("alarms.to is empty in " + arguments[1]
                    + ".properties: nobody receives alarms and budget warnings");
        }
        System.out.print(StageCosts.table(stage, Integer.parseInt(arguments[6])));
    }
}
