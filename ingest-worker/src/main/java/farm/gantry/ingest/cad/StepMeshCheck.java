package farm.gantry.ingest.cad;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.reading.BadFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the tessellation of a STEP file against the file. Some readers of STEP cover a whole sphere where the face is a part of it,
 * and the mesh is closed all the same. A file that is not understood here passes.
 */
final class StepMeshCheck {
    private static final Logger LOG = LoggerFactory.getLogger(StepMeshCheck.class);
    private static final List<String> FACES = List.of("ADVANCED_FACE", "FACE_SURFACE");
    private static final List<String> SOLIDS =
            List.of("MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP", "TESSELLATED_SOLID", "CSG_SOLID");
    private static final List<String> SURFACES = List.of("SHELL_BASED_SURFACE_MODEL", "OPEN_SHELL");

    /** Types of instances that may move a shape away from the coordinates of its points. */
    private static final List<String> PLACEMENTS =
            List.of("NEXT_ASSEMBLY_USAGE_OCCURRENCE", "MAPPED_ITEM", "REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION");

    private static final Set<String> INDEXED = Set.copyOf(FACES);
    private static final int MAX_SPHERES = 100;

    /** Maximum excess of the solid angle that the mesh covers over that of the faces. */
    private static final double MAX_EXCESS = 0.1 * Sphere.WHOLE;

    private final StepFile file;

    private StepMeshCheck(StepFile file) {
        this.file = file;
    }

    static StepMeshCheck read(Path step) throws IOException {
        boolean isFile = Files.isRegularFile(step, LinkOption.NOFOLLOW_LINKS);
        return new StepMeshCheck(isFile ? StepFile.read(step, INDEXED) : StepFile.EMPTY);
    }

    /** Rejects a model that has surfaces and no solid, because surfaces do not define an inside. */
    void requireSolid() throws BadFileException {
        if (SURFACES.stream().anyMatch(file::has) && SOLIDS.stream().noneMatch(file::has)) {
            throw new BadFileException("The model holds surfaces (" + SURFACES.getFirst()
                    + ") and no solid. Close the surfaces to a solid in the CAD program, and export it again");
        }
    }

    /** Rejects a mesh that covers more of a sphere than the file's faces do. */
    void requireSpheres(Mesh mesh) throws BadFileException {
        if (PLACEMENTS.stream().anyMatch(file::has)
                || file.has("TESSELLATED_SOLID")
                || !file.has(StepFace.SPHERICAL_SURFACE)) {
            return;
        }
        try {
            List<StepFace> faces = faces();
            SphereCoverage coverage = new SphereCoverage(mesh);
            for (Sphere sphere : spheres(faces)) {
                requireSphere(sphere, faces, coverage);
            }
        } catch (UnsupportedStepException e) {
            LOG.info("cannot check the spheres in the mesh of a STEP file; using it unchecked: {}", e.getMessage());
        }
    }

    private List<StepFace> faces() throws UnsupportedStepException {
        StepGeometry geometry = new StepGeometry(file, StepUnits.millimetresPerUnit(file));
        List<StepFace> faces = new ArrayList<>();
        for (String type : FACES) {
            for (int id : file.ids(type)) {
                faces.add(StepFace.of(file, geometry, file.instance(id)));
            }
        }
        return faces;
    }

    /** Returns the largest spheres of the faces, each once. */
    private static List<Sphere> spheres(List<StepFace> faces) {
        List<Sphere> largest = faces.stream()
                .map(StepFace::sphere)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingDouble(Sphere::radius).reversed())
                .toList();
        List<Sphere> spheres = new ArrayList<>();
        for (Sphere sphere : largest) {
            if (spheres.size() < MAX_SPHERES && spheres.stream().noneMatch(sphere::isNearlyEqual)) {
                spheres.add(sphere);
            }
        }
        return spheres;
    }

    private static void requireSphere(Sphere sphere, List<StepFace> faces, SphereCoverage coverage)
            throws BadFileException {
        double max =
                faces.stream().mapToDouble(face -> face.maxSolidAngle(sphere)).sum();
        if (max + MAX_EXCESS > Sphere.WHOLE) {
            return;
        }
        List<Vector> vertices = faces.stream()
                .filter(face -> face.sphere() != null && sphere.isNearlyEqual(face.sphere()))
                .flatMap(face -> face.vertices().stream())
                .distinct()
                .toList();
        double covered = coverage.solidAngle(sphere, vertices);
        LOG.debug("a sphere of {} mm: the faces have {}, the mesh {}", sphere.radius(), max, covered);
        if (covered > max + MAX_EXCESS) {
            throw new BadFileException(
                    ("The model has %.0f %% of a sphere with radius %.2f mm, and its conversion to triangles %.0f %%, so that another"
                                    + " shape would print: the reader of STEP cannot convert it. Export the model as STL or 3MF")
                            .formatted(100 * max / Sphere.WHOLE, sphere.radius(), 100 * covered / Sphere.WHOLE));
        }
    }
}
