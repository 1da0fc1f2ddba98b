import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { octaviaAvailabilityZone } from "./availability-zone.ts";
import { octaviaAvailabilityZoneProfile } from "./availability-zone-profile.ts";
import { octaviaFlavor } from "./flavor.ts";
import { octaviaFlavorProfile } from "./flavor-profile.ts";
import { octaviaHealthMonitor } from "./health-monitor.ts";
import { octaviaL7Policy } from "./l7-policy.ts";
import { octaviaL7Rule } from "./l7-rule.ts";
import { octaviaListener } from "./listener.ts";
import { octaviaLoadBalancer } from "./load-balancer.ts";
import { octaviaPool } from "./pool.ts";
import { octaviaPoolMember } from "./pool-member.ts";
import { octaviaQuota } from "./quota.ts";

export const OCTAVIA_TYPES: readonly DeclaredType[] = [
  octaviaAvailabilityZone,
  octaviaAvailabilityZoneProfile,
  octaviaFlavor,
  octaviaFlavorProfile,
  octaviaHealthMonitor,
  octaviaL7Policy,
  octaviaL7Rule,
  octaviaListener,
  octaviaLoadBalancer,
  octaviaPool,
  octaviaPoolMember,
  octaviaQuota,
];
