/**
 * The skip list of a ResourceGroup: names that its removal policies took away, and that no member
 * gets again. Heat stores the names as one text, so a comma in a policy's name separates two names.
 * The attribute `removed_rsrc_list` is the stored list.
 */
import { isJsonObject, type Json } from "#lib/json.ts";
import { compareTexts } from "#lib/python/order.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";

export type RemovalMode = "append" | "update";

const entriesOf = (policies: Json): readonly Json[] => {
  if (!isJsonArray(policies)) return [];
  return policies.flatMap((policy) => {
    const list = isJsonObject(policy) ? member(policy, "resource_list") : undefined;
    return list !== undefined && isJsonArray(list) ? list : [];
  });
};

const asStored = (names: ReadonlySet<string>): readonly string[] => {
  const text = [...names].sort(compareTexts).join(",");
  return text === "" ? [] : text.split(",");
};

/** Before there are members every entry counts, whatever it is. */
export const skipListOfCreate = (policies: Json): readonly string[] =>
  asStored(new Set(entriesOf(policies).map(pythonText)));

export interface Removable {
  readonly skip: readonly string[];
  readonly members: ReadonlySet<string>;
  readonly references: ReadonlyMap<string, Json>;
}

/** Only a string can also be the reference of a member. */
const namesIn = ({ skip, members, references }: Removable): ((entry: Json) => string | null) => {
  const skipped = new Set(skip);
  // If members have the same reference, the first one counts.
  const byReference = new Map([...references].reverse().map(([name, value]) => [value, name]));
  return (entry) => {
    const name = pythonText(entry);
    if (members.has(name) || skipped.has(name)) return name;
    return typeof entry === "string" ? (byReference.get(entry) ?? null) : null;
  };
};

/** The mode `update` forgets the names that the policies do not list again. */
export const skipListOfUpdate = (
  policies: Json,
  mode: RemovalMode,
  found: Removable,
): readonly string[] => {
  const nameOf = namesIn(found);
  const named = entriesOf(policies).flatMap((entry) => nameOf(entry) ?? []);
  return asStored(new Set([...(mode === "append" ? found.skip : []), ...named]));
};
