package farm.gantry.ingest.cad;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.StlFile;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tessellates CAD models with the tool for each type. */
public record CadMesher(Tools tools) {
    private static final String OUT = "out.stl";

    /** The folder below the model's folder with the files of its parameters, each in its own folder. */
    public static final String VALUES_FOLDER = "values";

    private static final Set<String> RESERVED =
            Set.of("in.step", "in.scad", "in.py", "parameters.json", "out.step", OUT, "mesh.stl", VALUES_FOLDER);

    /** OpenSCAD omits files that it cannot open, builds the rest and reports success. */
    private static final Pattern MISSING =
            Pattern.compile("(?m)^(?:ERROR|WARNING): (?:Can't open [^'\\n]*|The file )'(?:[^'\\n]*/)?([^'/\\n]+)'");

    /** Returns the parameters of a model that an order may set. */
    public static List<PartParameter> readParameters(Part.Type type, Path source) throws IOException {
        return type == Part.Type.scad ? OpenScadParameterParser.parse(source) : List.of();
    }

    /** Returns whether a model of the type may include other files. */
    public static boolean canIncludeFiles(Part.Type type) {
        return switch (type) {
            case scad, cadquery, build123d -> true;
            case step, stl, THREE_MF, gcode3mf, gcode -> false;
        };
    }

    /** Returns whether the tools use the file name themselves, so that no included file may have it. */
    public static boolean isReserved(String name) {
        return RESERVED.contains(name.toLowerCase(Locale.ROOT));
    }

    /**
     * Returns the model's triangles with these values, created in a folder that contains only the files that it
     * includes. A program may leave links there that lead out of it: none is followed, and the mesh is written beside
     * the folder.
     */
    public Path mesh(Part.Type type, Path source, List<PartParameter> parameters, Path folder) throws IOException {
        Files.createDirectories(folder);
        switch (type) {
            case step -> {
                Files.copy(source, folder.resolve("in.step"));
                runTessellator(folder, "in.step");
            }
            case scad -> {
                Files.copy(source, folder.resolve("in.scad"));
                requireIsolation("OpenSCAD", tools.openscad());
                runOpenScad(folder, parameters);
            }
            case cadquery -> runPython("CadQuery", tools.cadquery(), source, parameters, folder);
            case build123d -> runPython("build123d", tools.build123d(), source, parameters, folder);
            case stl, THREE_MF, gcode3mf, gcode -> throw new IllegalArgumentException(type + " has its own triangles");
        }
        Path made = folder.resolve(OUT);
        if (!Files.isRegularFile(made, LinkOption.NOFOLLOW_LINKS)) {
            throw new BadFileException("The model is empty: it has no geometry");
        }
        Path mesh = folder.resolveSibling(folder.getFileName() + ".stl");
        StlFile.write(
                Scene.of("part", type == Part.Type.scad ? StlFile.read(made) : readTessellation(folder, type, made)),
                mesh);
        return mesh;
    }

    private static Mesh readTessellation(Path folder, Part.Type type, Path made) throws IOException {
        StepMeshCheck step = StepMeshCheck.read(folder.resolve(type == Part.Type.step ? "in.step" : "out.step"));
        step.requireSolid();
        Mesh mesh = StlFile.readTessellation(made);
        step.requireSpheres(mesh);
        return mesh;
    }

    private void runTessellator(Path folder, String step) throws IOException {
        tools.tessellator().run(folder, List.of("--output", OUT, step));
    }

    private void runOpenScad(Path folder, List<PartParameter> parameters) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-o", OUT));
        for (PartParameter parameter : parameters) {
            String assignment = OpenScadParameterParser.toCommandLineOption(parameter);
            if (assignment != null) {
                arguments.addAll(List.of("-D", assignment));
            }
        }
        arguments.add("in.scad");
        Matcher missing = MISSING.matcher(tools.openscad().run(folder, arguments));
        if (missing.find()) {
            throw new BadFileException("The model needs the file '" + missing.group(1) + "', which is not there");
        }
    }

    /**
     * Refuses to run without isolation, because a model that is a program could copy any readable file into its mesh.
     */
    private void requireIsolation(String language, Tool tool) throws BadFileException {
        if (!tools.trustsModels() && !tool.isIsolated()) {
            throw new BadFileException(
                    language + " models are programs and are not run here, because the worker's machine"
                            + " cannot isolate them: install bubblewrap there, or set " + Tools.TRUST
                            + "=true to run them without isolation");
        }
    }

    /** Python runs only with a command set by the operator. */
    private void runPython(
            String language, @Nullable Tool tool, Path source, List<PartParameter> parameters, Path folder)
            throws IOException {
        if (tool == null) {
            throw new BadFileException(
                    language + " models are not read here: the operator has set no command for them");
        }
        requireIsolation(language, tool);
        Files.copy(source, folder.resolve("in.py"));
        Files.writeString(folder.resolve("parameters.json"), ParameterJson.write(parameters));
        tool.run(folder, List.of("in.py", "parameters.json", "out.step"));
        if (!Files.exists(folder.resolve("out.step"))) {
            throw new BadFileException("The model is empty: it has no geometry");
        }
        runTessellator(folder, "out.step");
    }
}
