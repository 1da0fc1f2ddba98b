import { type DeclaredType, declaredTypes } from "#lib/resources/cloud/declared-type.ts";
import { zaqarSubscription } from "./subscription.ts";
import types from "./types.json" with { type: "json" };

export const ZAQAR_TYPES: readonly DeclaredType[] = declaredTypes(types, {
  "OS::Zaqar::Subscription": zaqarSubscription,
});
