package farm.gantry.api.printer;

import farm.gantry.Permission;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.util.List;

/** Sends manual commands to printers: to all of them or, if one cannot execute it, to none. */
@Controller("/v1/printer-commands")
@Blocking
final class PrinterCommands {
    private final ManualCommands commands;
    private final RecordReader reader;

    PrinterCommands(ManualCommands commands, RecordReader reader) {
        this.commands = commands;
        this.reader = reader;
    }

    @Serdeable
    record CommandRequest(@Size(min = 1, max = 1000) List<String> ids, PrinterCommand command) {}

    /**
     * Queues a manual command for printers. Returns the ids of the printers. The printers' agents execute it. A command
     * that is not delivered within two minutes expires. 409 if the command would move the head of a printing printer:
     * nothing is queued, and {@code details} names each such printer.
     */
    @Post("/send")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PRINTER_CONTROL)
    List<String> send(Caller caller, @Body @BodyType(CommandRequest.class) JsonNode body) {
        CommandRequest request = reader.read(CommandRequest.class, body);
        return commands.send(caller, request.ids(), request.command());
    }
}
