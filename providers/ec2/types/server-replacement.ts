import type { Json } from "#provider/provider.ts";
import { type Replaces, replacedBy } from "#providers/changed.ts";
import { isObject, listOf, textOf } from "#providers/values.ts";

const NETWORK_KEYS = ["port", "subnet", "network", "fixed_ip"] as const;

/** @returns null when only the update can tell which network is the first */
const firstOf = (networks: Json | undefined): string | null => {
  const all = listOf(networks);
  if (!all.every(isObject)) return null;
  const [first] = all.filter(isObject);
  return NETWORK_KEYS.map((key) => textOf(first?.[key])).join("\n");
};

/** EC2 never detaches the first interface of an instance. */
const hasOtherFirst: Replaces = (before, after) => {
  const first = firstOf(after["networks"]);
  return first !== null && first !== firstOf(before["networks"]);
};

export const replacesServer: Replaces = (before, after) =>
  replacedBy("image")(before, after) ||
  hasOtherFirst(before, after) ||
  (after["flavor_update_policy"] === "REPLACE" && replacedBy("flavor")(before, after)) ||
  (after["user_data_update_policy"] !== "IGNORE" && replacedBy("user_data")(before, after));
