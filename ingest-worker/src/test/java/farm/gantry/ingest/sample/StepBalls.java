package farm.gantry.ingest.sample;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.reading.BadFileException;

/** STEP files of the upper half of a ball around the origin, and meshes of balls. */
public final class StepBalls {
    private static final int SIDES = 48;

    private StepBalls() {}

    /** Returns half a ball as a solid, in millimetres. */
    public static String half(double radius) {
        return half(
                radius,
                "#50=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));",
                "#60=CLOSED_SHELL('',(#31,#41));#61=MANIFOLD_SOLID_BREP('',#60);");
    }

    /** Returns half a ball as a solid, in inches. */
    public static String halfInInches(double radius) {
        return half(
                radius,
                "#50=(CONVERSION_BASED_UNIT('INCH',#51)LENGTH_UNIT()NAMED_UNIT(#52));"
                        + "#51=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#53);"
                        + "#52=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);"
                        + "#53=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));",
                "#60=CLOSED_SHELL('',(#31,#41));#61=MANIFOLD_SOLID_BREP('',#60);");
    }

    /** Returns the dome without its floor, which is a surface and no solid. */
    public static String dome(double radius) {
        return half(
                radius,
                "#50=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));",
                "#60=OPEN_SHELL('',(#31));#61=SHELL_BASED_SURFACE_MODEL('',(#60));");
    }

    private static String half(double radius, String units, String body) {
        return """
                ISO-10303-21;
                HEADER;
                FILE_DESCRIPTION(('half a ball; it''s round'),'2;1');
                FILE_NAME('half','2026-01-01T00:00:00',(''),(''),'','','');
                FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));
                ENDSEC;
                DATA;
                #1=CARTESIAN_POINT('',(0.,0.,0.));
                #2=DIRECTION('',(0.,0.,1.));
                #3=DIRECTION('',(0.,0.,-1.));
                #4=DIRECTION('',(1.,0.,0.));
                #5=AXIS2_PLACEMENT_3D('',#1,#2,#4);
                #6=AXIS2_PLACEMENT_3D('',#1,#3,#4);
                #10=CARTESIAN_POINT('',(%1$s,0.,0.)); /* two ends; of two arcs */
                #11=CARTESIAN_POINT('',(-%1$s,0.,0.));
                #12=VERTEX_POINT('',#10);
                #13=VERTEX_POINT('',#11);
                #14=CIRCLE('',#5,%1$s);
                #15=EDGE_CURVE('',#12,#13,#14,.T.);
                #16=EDGE_CURVE('',#13,#12,#14,.T.);
                #20=ORIENTED_EDGE('',*,*,#15,.T.);
                #21=ORIENTED_EDGE('',*,*,#16,.T.);
                #22=ORIENTED_EDGE('',*,*,#16,.F.);
                #23=ORIENTED_EDGE('',*,*,#15,.F.);
                #24=EDGE_LOOP('',(#20,#21));
                #25=EDGE_LOOP('',(#22,#23));
                #26=FACE_OUTER_BOUND('',#24,.T.);
                #27=FACE_OUTER_BOUND('',#25,.T.);
                #30=SPHERICAL_SURFACE('',#5,%1$s);
                #31=ADVANCED_FACE('',(#26),#30,.T.);
                #40=PLANE('',#6);
                #41=ADVANCED_FACE('',(#27),#40,.T.);
                %2$s
                #55=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNIT_ASSIGNED_CONTEXT((#50))REPRESENTATION_CONTEXT('',''));
                %3$s
                #70=APPLICATION_CONTEXT('automotive design');
                #71=PRODUCT_CONTEXT('',#70,'mechanical');
                #72=PRODUCT('half','half','',(#71));
                #73=PRODUCT_DEFINITION_FORMATION('','',#72);
                #74=PRODUCT_DEFINITION_CONTEXT('part definition',#70,'design');
                #75=PRODUCT_DEFINITION('','',#73,#74);
                #76=PRODUCT_DEFINITION_SHAPE('','',#75);
                #77=ADVANCED_BREP_SHAPE_REPRESENTATION('',(#61),#55);
                #78=SHAPE_DEFINITION_REPRESENTATION(#76,#77);
                ENDSEC;
                END-ISO-10303-21;
                """.formatted(radius, units, body);
    }

    /** Returns the mesh of the upper half, closed by a floor. */
    public static Mesh halfMesh(double radius) throws BadFileException {
        return mesh(radius, SIDES / 4);
    }

    public static Mesh wholeMesh(double radius) throws BadFileException {
        return mesh(radius, SIDES / 2);
    }

    /** Returns a ball's mesh of this many rings from the upper pole down; the last ring closes it. */
    private static Mesh mesh(double radius, int rings) throws BadFileException {
        var mesh = new Mesh.Builder(2 * SIDES * (rings + 1));
        boolean isWhole = rings == SIDES / 2;
        int last = isWhole ? rings - 1 : rings;
        mesh.point(0, 0, (float) radius);
        mesh.point(0, 0, isWhole ? (float) -radius : 0);
        for (int ring = 1; ring <= last; ring++) {
            double down = Math.PI * 2 * ring / SIDES;
            for (int side = 0; side < SIDES; side++) {
                double around = 2 * Math.PI * side / SIDES;
                mesh.point(
                        (float) (radius * Math.sin(down) * Math.cos(around)),
                        (float) (radius * Math.sin(down) * Math.sin(around)),
                        (float) (radius * Math.cos(down)));
            }
        }
        for (int side = 0; side < SIDES; side++) {
            int next = (side + 1) % SIDES;
            mesh.triangle(0, 2 + side, 2 + next);
            for (int ring = 0; ring < last - 1; ring++) {
                int up = 2 + ring * SIDES;
                int low = up + SIDES;
                mesh.triangle(up + side, low + side, low + next);
                mesh.triangle(up + side, low + next, up + next);
            }
            int rim = 2 + (last - 1) * SIDES;
            mesh.triangle(1, rim + next, rim + side);
        }
        return mesh.build();
    }
}
