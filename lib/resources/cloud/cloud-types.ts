/**
 * All types of Heat whose objects a cloud makes. The schemas are JSON files in `types`, one per
 * service; `checks` has the code for what Heat validates before it calls a cloud.
 */
import { AWS_RULES } from "./checks/aws.ts";
import { BARBICAN_RULES } from "./checks/barbican.ts";
import { CINDER_RULES } from "./checks/cinder.ts";
import { DESIGNATE_RULES } from "./checks/designate.ts";
import { GLANCE_RULES } from "./checks/glance.ts";
import { KEYSTONE_RULES } from "./checks/keystone.ts";
import { MAGNUM_RULES } from "./checks/magnum.ts";
import { MANILA_RULES } from "./checks/manila.ts";
import { MISTRAL_RULES } from "./checks/mistral.ts";
import { NEUTRON_RULES } from "./checks/neutron.ts";
import { NOVA_RULES } from "./checks/nova.ts";
import { OCTAVIA_RULES } from "./checks/octavia.ts";
import { TROVE_RULES } from "./checks/trove.ts";
import { ZAQAR_RULES } from "./checks/zaqar.ts";
import { ZUN_RULES } from "./checks/zun.ts";
import { type DeclaredType, declaredTypes } from "./declared-type.ts";
import aodh from "./types/aodh.json" with { type: "json" };
import aws from "./types/aws.json" with { type: "json" };
import barbican from "./types/barbican.json" with { type: "json" };
import blazar from "./types/blazar.json" with { type: "json" };
import cinder from "./types/cinder.json" with { type: "json" };
import designate from "./types/designate.json" with { type: "json" };
import glance from "./types/glance.json" with { type: "json" };
import ironic from "./types/ironic.json" with { type: "json" };
import keystone from "./types/keystone.json" with { type: "json" };
import magnum from "./types/magnum.json" with { type: "json" };
import manila from "./types/manila.json" with { type: "json" };
import mistral from "./types/mistral.json" with { type: "json" };
import neutron from "./types/neutron.json" with { type: "json" };
import nova from "./types/nova.json" with { type: "json" };
import octavia from "./types/octavia.json" with { type: "json" };
import swift from "./types/swift.json" with { type: "json" };
import trove from "./types/trove.json" with { type: "json" };
import vitrage from "./types/vitrage.json" with { type: "json" };
import zaqar from "./types/zaqar.json" with { type: "json" };
import zun from "./types/zun.json" with { type: "json" };

export const CLOUD_TYPES: readonly DeclaredType[] = [
  ...declaredTypes(aodh),
  ...declaredTypes(aws, AWS_RULES),
  ...declaredTypes(barbican, BARBICAN_RULES),
  ...declaredTypes(blazar),
  ...declaredTypes(cinder, CINDER_RULES),
  ...declaredTypes(designate, DESIGNATE_RULES),
  ...declaredTypes(glance, GLANCE_RULES),
  ...declaredTypes(ironic),
  ...declaredTypes(keystone, KEYSTONE_RULES),
  ...declaredTypes(magnum, MAGNUM_RULES),
  ...declaredTypes(manila, MANILA_RULES),
  ...declaredTypes(mistral, MISTRAL_RULES),
  ...declaredTypes(neutron, NEUTRON_RULES),
  ...declaredTypes(nova, NOVA_RULES),
  ...declaredTypes(octavia, OCTAVIA_RULES),
  ...declaredTypes(swift),
  ...declaredTypes(trove, TROVE_RULES),
  ...declaredTypes(vitrage),
  ...declaredTypes(zaqar, ZAQAR_RULES),
  ...declaredTypes(zun, ZUN_RULES),
];
