import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { novaFlavor } from "./flavor.ts";
import { novaFloatingIp } from "./floating-ip.ts";
import { novaFloatingIpAssociation } from "./floating-ip-association.ts";
import { novaHostAggregate } from "./host-aggregate.ts";
import { novaKeyPair } from "./key-pair.ts";
import { novaQuota } from "./quota.ts";
import { novaServer } from "./server.ts";
import { novaServerGroup } from "./server-group.ts";

export const NOVA_TYPES: readonly DeclaredType[] = [
  novaFlavor,
  novaFloatingIp,
  novaFloatingIpAssociation,
  novaHostAggregate,
  novaKeyPair,
  novaQuota,
  novaServer,
  novaServerGroup,
];
