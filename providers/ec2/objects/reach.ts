/** Objects that a template names, by id or by name. As in Heat, a name of several is refused. */
import type { Call } from "#provider/provider.ts";
import { type Ec2Account, foundLater, Impossible } from "../account.ts";
import { isOfProject, NAME, TAGS, tagOf, withTag } from "../tags.ts";
import { byId, type Kind, type Seen } from "./looks.ts";

export const missing = (noun: string, text: string): Impossible =>
  new Impossible(`The ${noun} (${text}) could not be found.`);

/** Null: the project has none. Another project's objects are out of its reach. */
export const named = async <Own>(
  account: Ec2Account,
  kind: Kind<Own>,
  { tenant, signal }: Pick<Call, "tenant" | "signal">,
  text: string,
): Promise<Seen<Own> | null> => {
  if (text === "") return null;
  if (kind.id.test(text)) {
    const found = await byId(account, kind, text, signal);
    return found !== null && isOfProject(found.tags, tenant) ? found : null;
  }
  const filters = [withTag(NAME, text), withTag(TAGS.tenant, tenant)];
  const found = await kind.look(account, { filters }, signal);
  // A filter of EC2's reads * and ? as patterns.
  const [first, ...others] = found.filter(({ tags }) => tagOf(tags, NAME) === text);
  if (others.length > 0) {
    throw new Impossible(`Multiple ${kind.noun} objects have the name ${text}.`);
  }
  return first ?? null;
};

/** The same, which must be there. What is too new to be seen is waited for. Throws Impossible. */
export const reach = async <Own>(
  account: Ec2Account,
  kind: Kind<Own>,
  call: Pick<Call, "tenant" | "signal">,
  text: string,
): Promise<Seen<Own>> => {
  const found = await foundLater(account, call.signal, () => named(account, kind, call, text));
  if (found === null) throw missing(kind.noun, text);
  return found;
};
