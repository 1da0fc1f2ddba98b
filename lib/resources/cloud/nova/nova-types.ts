import {
  type DeclaredType,
  declaredTypes,
  type TypeRules,
} from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { novaQuota } from "./quota.ts";
import { mustReplaceServer, refuseServer } from "./server-checks.ts";
import types from "./types.json" with { type: "json" };

const novaServerGroup: TypeRules = {
  validate: (given) => reads(given, "policies", "rules"),
};

const novaKeyPair: TypeRules = {
  validate: (given) => reads(given, "type", "user", "public_key"),
};

export const NOVA_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "OS::Nova::KeyPair": novaKeyPair,
  "OS::Nova::Quota": novaQuota,
  "OS::Nova::ServerGroup": novaServerGroup,
  "OS::Nova::Server": { mustReplace: mustReplaceServer, validate: refuseServer },
});
