package farm.gantry.ingest.cad;

import java.util.ArrayList;
import java.util.List;

/** The points, curves and loops of a STEP file, in mm. */
final class StepGeometry {
    private static final int ARC_STEPS = 96;
    private static final int SPAN_STEPS = 8;
    private static final int MAX_SPLINE_POINTS = 10_000;
    private static final int MAX_DEGREE = 25;
    /** In mm: how far apart the ends of neighbouring edges may be. */
    private static final double GAP = 0.05;

    private final StepFile file;
    private final double scale;

    /** {@code scale} is how many mm a length of 1 is. */
    StepGeometry(StepFile file, double scale) {
        this.file = file;
        this.scale = scale;
    }

    double length(double value) {
        return value * scale;
    }

    Vector point(Object reference) throws UnsupportedStepException {
        StepInstance point = file.instance(reference);
        return coordinates(point.is("VERTEX_POINT") ? file.instance(point.argument(1)) : point)
                .times(scale);
    }

    /** Returns the origin of an AXIS2_PLACEMENT_3D. */
    Vector location(StepInstance placement) throws UnsupportedStepException {
        return point(placement.argument(1));
    }

    /** The z axis of an AXIS2_PLACEMENT_3D. */
    Vector axis(StepInstance placement) throws UnsupportedStepException {
        Object axis = placement.argument(2);
        return axis.equals(StepInstance.OMITTED)
                ? new Vector(0, 0, 1)
                : coordinates(file.instance(axis)).unit();
    }

    private static Vector coordinates(StepInstance instance) throws UnsupportedStepException {
        List<?> numbers = instance.list(1);
        if (numbers.size() != 3) {
            throw new UnsupportedStepException("a point has " + numbers.size() + " coordinates");
        }
        return new Vector(
                StepInstance.number(numbers.get(0)),
                StepInstance.number(numbers.get(1)),
                StepInstance.number(numbers.get(2)));
    }

    /** The vertices of a bound of a face; none where it has no edges. */
    List<Vector> vertices(StepInstance bound) throws UnsupportedStepException {
        List<Vector> vertices = new ArrayList<>();
        StepInstance loop = file.instance(bound.argument(1));
        if (loop.is("EDGE_LOOP")) {
            for (Object oriented : loop.list(1)) {
                StepInstance edge = file.instance(file.instance(oriented).argument(3));
                vertices.add(point(edge.argument(1)));
                vertices.add(point(edge.argument(2)));
            }
        }
        return vertices;
    }

    /** Points along the bound of a face; empty for one that is a single point. */
    List<Vector> outline(StepInstance bound) throws UnsupportedStepException {
        List<Vector> outline = new ArrayList<>();
        StepInstance loop = file.instance(bound.argument(1));
        if (loop.is("VERTEX_LOOP")) {
            return outline;
        }
        if (!loop.is("EDGE_LOOP")) {
            throw new UnsupportedStepException("a loop is a " + loop.type());
        }
        for (Object reference : loop.list(1)) {
            StepInstance oriented = file.instance(reference);
            List<Vector> edge = edge(file.instance(oriented.argument(3)));
            List<Vector> along = oriented.isTrue(4) ? edge : edge.reversed();
            if (!outline.isEmpty() && outline.getLast().distance(along.getFirst()) > GAP) {
                throw new UnsupportedStepException("the edges of a loop do not meet");
            }
            outline.addAll(along);
        }
        if (outline.isEmpty() || outline.getLast().distance(outline.getFirst()) > GAP) {
            throw new UnsupportedStepException("a loop is not closed");
        }
        return bound.isTrue(2) ? outline : outline.reversed();
    }

    private List<Vector> edge(StepInstance edge) throws UnsupportedStepException {
        Vector start = point(edge.argument(1));
        Vector end = point(edge.argument(2));
        boolean isForward = edge.isTrue(4);
        StepInstance curve = file.instance(edge.argument(3));
        if (curve.is("SURFACE_CURVE") || curve.is("SEAM_CURVE") || curve.is("INTERSECTION_CURVE")) {
            curve = file.instance(curve.argument(1));
        }
        if (curve.is("CIRCLE")) {
            return isForward ? arc(curve, start, end) : arc(curve, end, start).reversed();
        }
        if (curve.is("B_SPLINE_CURVE_WITH_KNOTS") && curve.arguments().size() == 1) {
            List<Vector> spline = spline(curve);
            List<Vector> along = isForward ? spline : spline.reversed();
            if (along.getFirst().distance(start) > GAP || along.getLast().distance(end) > GAP) {
                throw new UnsupportedStepException("an edge is a part of its spline");
            }
            return along;
        }
        throw new UnsupportedStepException("an edge of a sphere is a " + curve.type());
    }

    /** From start to end, counterclockwise around the circle's axis. */
    private List<Vector> arc(StepInstance circle, Vector start, Vector end) throws UnsupportedStepException {
        StepInstance placement = file.instance(circle.argument(1));
        Vector center = location(placement);
        double radius = length(circle.number(2));
        Vector from = start.minus(center);
        Vector to = end.minus(center);
        if (Math.abs(from.length() - radius) > GAP || Math.abs(to.length() - radius) > GAP) {
            throw new UnsupportedStepException("a vertex is not on its circle");
        }
        Vector side = axis(placement).cross(from);
        double angle = Math.atan2(to.dot(side), to.dot(from));
        double whole = start.distance(end) < GAP / 1000 ? 2 * Math.PI : angle <= 0 ? angle + 2 * Math.PI : angle;
        List<Vector> points = new ArrayList<>();
        for (int step = 0; step <= ARC_STEPS; step++) {
            double at = whole * step / ARC_STEPS;
            points.add(center.plus(from.times(Math.cos(at))).plus(side.times(Math.sin(at))));
        }
        return points;
    }

    /** Returns points along a spline, computed by de Boor's algorithm. */
    private List<Vector> spline(StepInstance curve) throws UnsupportedStepException {
        int degree = (int) curve.number(1);
        List<Vector> controls = new ArrayList<>();
        for (Object control : curve.list(2)) {
            controls.add(point(control));
        }
        if (degree < 1 || degree > MAX_DEGREE || controls.size() > MAX_SPLINE_POINTS) {
            throw new UnsupportedStepException("a spline of degree " + degree + " has " + controls.size() + " points");
        }
        List<Double> knots = knots(curve, degree);
        if (knots.size() != controls.size() + degree + 1) {
            throw new UnsupportedStepException(
                    "a spline has " + knots.size() + " knots and " + controls.size() + " points");
        }
        List<Vector> points = new ArrayList<>();
        for (int span = degree; span < controls.size(); span++) {
            double width = knots.get(span + 1) - knots.get(span);
            for (int step = points.isEmpty() ? 0 : 1; width > 0 && step <= SPAN_STEPS; step++) {
                points.add(splinePoint(degree, controls, knots, span, knots.get(span) + width * step / SPAN_STEPS));
            }
        }
        if (points.isEmpty()) {
            throw new UnsupportedStepException("a spline has no length");
        }
        return points;
    }

    private static List<Double> knots(StepInstance curve, int degree) throws UnsupportedStepException {
        List<?> multiplicities = curve.list(6);
        List<?> values = curve.list(7);
        if (multiplicities.size() != values.size() || values.size() > 2 * MAX_SPLINE_POINTS) {
            throw new UnsupportedStepException("a spline has " + values.size() + " knots");
        }
        List<Double> knots = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            double times = Math.min(StepInstance.number(multiplicities.get(i)), degree + 1.0);
            for (int j = 0; j < times; j++) {
                knots.add(StepInstance.number(values.get(i)));
            }
        }
        return knots;
    }

    private static Vector splinePoint(int degree, List<Vector> controls, List<Double> knots, int span, double at) {
        Vector[] points = controls.subList(span - degree, span + 1).toArray(Vector[]::new);
        for (int level = 1; level <= degree; level++) {
            for (int i = degree; i >= level; i--) {
                double low = knots.get(span - degree + i);
                double share = (at - low) / (knots.get(span + 1 + i - level) - low);
                points[i] = points[i - 1].times(1 - share).plus(points[i].times(share));
            }
        }
        return points[degree];
    }
}
