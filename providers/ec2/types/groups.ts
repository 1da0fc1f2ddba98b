import type { Filter, SecurityGroup } from "@aws-sdk/client-ec2";
import type { Call } from "#provider/provider.ts";
import { type Ec2Account, foundLater, orMissing } from "../account.ts";
import { isOfProject, NAME, TAGS, tagOf, withTag } from "../tags.ts";
import { inVpc, vpcOf } from "../zone.ts";

const GROUP_ID = /^sg-[0-9a-f]+$/;

export const groupById = async (
  { ec2 }: Ec2Account,
  id: string,
  signal: AbortSignal,
): Promise<SecurityGroup | null> => {
  const asked = ec2.describeSecurityGroups({ GroupIds: [id] }, { abortSignal: signal });
  return (await orMissing(asked))?.SecurityGroups?.[0] ?? null;
};

export const DEFAULT_GROUP = "default";

const namedBy = (name: string, tenant: string): readonly Filter[][] => [
  [{ Name: "group-name", Values: [name] }],
  [withTag(NAME, name), withTag(TAGS.tenant, tenant)],
];

export const groupIdOf = async (
  account: Ec2Account,
  { signal, tenant }: Pick<Call, "signal" | "tenant">,
  name: string,
): Promise<string | null> => {
  if (GROUP_ID.test(name)) {
    const found = await foundLater(account, signal, () => groupById(account, name, signal));
    return found !== null && isOfProject(found.Tags, tenant) ? name : null;
  }
  const here = inVpc(await vpcOf(account, signal));
  for (const filters of namedBy(name, tenant)) {
    const given = { Filters: [...filters, here] };
    const asked = account.ec2.describeSecurityGroups(given, { abortSignal: signal });
    const groups = (await orMissing(asked))?.SecurityGroups ?? [];
    // An EC2 filter treats * and ? as patterns.
    const [found, ...others] = groups.filter(
      ({ GroupName, Tags }) =>
        isOfProject(Tags, tenant) && (GroupName === name || tagOf(Tags, NAME) === name),
    );
    if (found !== undefined) return others.length === 0 ? (found.GroupId ?? null) : null;
  }
  return null;
};
