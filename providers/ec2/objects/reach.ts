/** Finds objects by id or name. As in Heat, an ambiguous name is refused. */
import type { Call } from "#provider/provider.ts";
import { type Ec2Account, foundLater, Impossible } from "../account.ts";
import { isOfProject, NAME, TAGS, tagOf, withTag } from "../tags.ts";
import { byId, type Kind, type Seen } from "./looks.ts";

export const missing = (noun: string, text: string): Impossible =>
  new Impossible(`The ${noun} (${text}) could not be found.`);

/** Objects of other projects are not found. */
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
  // An EC2 filter treats * and ? as patterns.
  const [first, ...others] = found.filter(({ tags }) => tagOf(tags, NAME) === text);
  if (others.length > 0) {
    throw new Impossible(`Multiple ${kind.noun} objects have the name ${text}.`);
  }
  return first ?? null;
};

/** Waits a while for an object that is too new to be visible. Throws Impossible. */
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
