package farm.gantry.api.notification;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EllipticCurve;
import java.util.Arrays;

/** Converts keys of the curve P-256 to and from the forms of browsers. */
final class P256 {
    /** The size of a private key, and of a coordinate. */
    static final int BYTES = 32;

    private static final int POINT_BYTES = 1 + 2 * BYTES;
    private static final byte UNCOMPRESSED = 4;

    private P256() {}

    /** Reads an uncompressed point of 65 bytes. */
    static ECPublicKey decodePublic(byte[] point) throws GeneralSecurityException {
        if (point.length != POINT_BYTES || point[0] != UNCOMPRESSED) {
            throw new GeneralSecurityException("not an uncompressed point of P-256");
        }
        BigInteger x = new BigInteger(1, Arrays.copyOfRange(point, 1, 1 + BYTES));
        BigInteger y = new BigInteger(1, Arrays.copyOfRange(point, 1 + BYTES, POINT_BYTES));
        requireOnCurve(x, y);
        return (ECPublicKey)
                KeyFactory.getInstance("EC").generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve()));
    }

    private static void requireOnCurve(BigInteger x, BigInteger y) throws GeneralSecurityException {
        EllipticCurve curve = curve().getCurve();
        BigInteger p = ((ECFieldFp) curve.getField()).getP();
        BigInteger right = x.pow(3).add(curve.getA().multiply(x)).add(curve.getB());
        if (!y.pow(2).mod(p).equals(right.mod(p))) {
            throw new GeneralSecurityException("not a point of P-256");
        }
    }

    /** Reads a private key of 32 bytes. */
    static ECPrivateKey decodePrivate(byte[] scalar) throws GeneralSecurityException {
        if (scalar.length != BYTES) {
            throw new GeneralSecurityException("not a private key of P-256");
        }
        return (ECPrivateKey)
                KeyFactory.getInstance("EC").generatePrivate(new ECPrivateKeySpec(new BigInteger(1, scalar), curve()));
    }

    /** Returns the uncompressed point of 65 bytes. */
    static byte[] encode(ECPublicKey key) {
        byte[] point = new byte[POINT_BYTES];
        point[0] = UNCOMPRESSED;
        write(key.getW().getAffineX(), point, 1);
        write(key.getW().getAffineY(), point, 1 + BYTES);
        return point;
    }

    private static void write(BigInteger number, byte[] into, int at) {
        byte[] bytes = number.toByteArray(); // may have a leading zero, or fewer than 32 bytes
        int length = Math.min(bytes.length, BYTES);
        System.arraycopy(bytes, bytes.length - length, into, at + BYTES - length, length);
    }

    private static ECParameterSpec curve() throws GeneralSecurityException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
        parameters.init(new ECGenParameterSpec("secp256r1"));
        return parameters.getParameterSpec(ECParameterSpec.class);
    }
}
