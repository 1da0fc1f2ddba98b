/** Every type of Heat that needs a cloud, with its schema and without a provider. */

import { AODH_TYPES } from "./aodh/aodh-types.ts";
import { AWS_TYPES } from "./aws/aws-types.ts";
import { BARBICAN_TYPES } from "./barbican/barbican-types.ts";
import { BLAZAR_TYPES } from "./blazar/blazar-types.ts";
import { CINDER_TYPES } from "./cinder/cinder-types.ts";
import type { DeclaredType } from "./declared-type.ts";
import { DESIGNATE_TYPES } from "./designate/designate-types.ts";
import { GLANCE_TYPES } from "./glance/glance-types.ts";
import { IRONIC_TYPES } from "./ironic/ironic-types.ts";
import { KEYSTONE_TYPES } from "./keystone/keystone-types.ts";
import { MAGNUM_TYPES } from "./magnum/magnum-types.ts";
import { MANILA_TYPES } from "./manila/manila-types.ts";
import { MISTRAL_TYPES } from "./mistral/mistral-types.ts";
import { NEUTRON_TYPES } from "./neutron/neutron-types.ts";
import { NOVA_TYPES } from "./nova/nova-types.ts";
import { OCTAVIA_TYPES } from "./octavia/octavia-types.ts";
import { SWIFT_TYPES } from "./swift/swift-types.ts";
import { TROVE_TYPES } from "./trove/trove-types.ts";
import { VITRAGE_TYPES } from "./vitrage/vitrage-types.ts";
import { ZAQAR_TYPES } from "./zaqar/zaqar-types.ts";
import { ZUN_TYPES } from "./zun/zun-types.ts";

export const CLOUD_TYPES: readonly DeclaredType[] = [
  ...AODH_TYPES,
  ...AWS_TYPES,
  ...BARBICAN_TYPES,
  ...BLAZAR_TYPES,
  ...CINDER_TYPES,
  ...DESIGNATE_TYPES,
  ...GLANCE_TYPES,
  ...IRONIC_TYPES,
  ...KEYSTONE_TYPES,
  ...MAGNUM_TYPES,
  ...MANILA_TYPES,
  ...MISTRAL_TYPES,
  ...NEUTRON_TYPES,
  ...NOVA_TYPES,
  ...OCTAVIA_TYPES,
  ...SWIFT_TYPES,
  ...TROVE_TYPES,
  ...VITRAGE_TYPES,
  ...ZAQAR_TYPES,
  ...ZUN_TYPES,
];
