/** Which changes of OS::Nova::Server make another instance. */
import type { Json } from "#provider/provider.ts";
import { type Replaces, replacedBy } from "#providers/changed.ts";
import { isObject, listOf, textOf } from "#providers/values.ts";

const NETWORK_KEYS = ["port", "subnet", "network", "fixed_ip"] as const;

/** What makes the first interface. Null: only the update can tell. */
const firstOf = (networks: Json | undefined): string | null => {
  const all = listOf(networks);
  if (!all.every(isObject)) return null;
  const [first] = all.filter(isObject);
  return NETWORK_KEYS.map((key) => textOf(first?.[key])).join("\n");
};

/** EC2 never takes the first interface from an instance. */
const hasOtherFirst: Replaces = (before, after) => {
  const first = firstOf(after["networks"]);
  return first !== null && first !== firstOf(before["networks"]);
};

export const replacesServer: Replaces = (before, after) =>
  replacedBy("image")(before, after) ||
  hasOtherFirst(before, after) ||
  (after["flavor_update_policy"] === "REPLACE" && replacedBy("flavor")(before, after)) ||
  (after["user_data_update_policy"] !== "IGNORE" && replacedBy("user_data")(before, after));
