package farm.gantry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PermissionTest {
    @Test
    void permissionHasItsWireName() {
        assertThat(Permission.PART_VIEW.wire()).isEqualTo("part.view");
        assertThat(Permission.API_KEY_CREATE.wire()).isEqualTo("apiKey.create");
        assertThat(Permission.MATERIAL_INSTANCE_EDIT.wire()).isEqualTo("material.instance.edit");
    }

    @Test
    void permissionIsFoundByName() {
        for (Permission permission : Permission.values()) {
            assertThat(Permission.of(permission.wire())).contains(permission);
        }
        assertThat(Permission.of("part.fly")).isEmpty();
    }
}
