package farm.gantry.api.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.database.MasterKey;
import farm.gantry.api.database.MasterKeyContract;
import farm.gantry.ingest.function.emulator.SdkSettings;
import java.io.IOException;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.services.kms.KmsClient;

/** Tests a master key in KMS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KmsMasterKeyTest implements MasterKeyContract {
    private KeyService service;
    private KmsClient client;

    @BeforeAll
    void start() throws IOException {
        service = new KeyService();
        client = new AwsClientFactory(settings("alias/gantry")).keys();
    }

    @AfterAll
    void stop() {
        client.close();
        service.close();
    }

    private static AwsSettings settings(String key) {
        return new AwsSettings(SdkSettings.REGION, "", "", key, null);
    }

    @Override
    public MasterKey masterKey() {
        return new KmsMasterKey(client, settings("alias/gantry"));
    }

    @Test
    void kmsIsCalledOncePerDataKey() throws GeneralSecurityException {
        MasterKey key = masterKey();
        String wrapped = key.wrap(MasterKeyContract.dataKey());
        int before = service.decrypted();
        key.unwrap(wrapped);
        key.unwrap(wrapped);
        assertThat(service.decrypted() - before).isEqualTo(1);
    }

    @Test
    void dataKeyIsNotUnwrappedByAnotherKmsKey() {
        String wrapped = masterKey().wrap(MasterKeyContract.dataKey());
        assertThatThrownBy(() -> new KmsMasterKey(client, settings("alias/other")).unwrap(wrapped))
                .isInstanceOf(GeneralSecurityException.class);
    }
}
