import type { Filter, Tag } from "@aws-sdk/client-ec2";
import type { MarkedObject } from "#provider/provider.ts";
import type { Ec2Account, Ec2Accounts } from "./account.ts";
import { TAGS, tagOf, withTag } from "./tags.ts";

const LIST_MS_MAX = 60_000;

export interface Tagged {
  readonly id: string;
  readonly tags: readonly Tag[];
}

const markOf = ({ id, tags }: Tagged): MarkedObject => ({
  physicalId: id,
  stackId: tagOf(tags, TAGS.stack) ?? undefined,
  stackName: tagOf(tags, TAGS.stackName) ?? undefined,
  resourceName: tagOf(tags, TAGS.resource) ?? undefined,
});

export type ListTagged = (
  account: Ec2Account,
  filters: Filter[],
  signal: AbortSignal,
) => Promise<readonly Tagged[]>;

export const markedIn =
  (accounts: Ec2Accounts, list: ListTagged) =>
  async (tenant: string): Promise<readonly MarkedObject[]> => {
    const filters = [withTag(TAGS.tenant, tenant), { Name: "tag-key", Values: [TAGS.operation] }];
    const found = await list(accounts(tenant), filters, AbortSignal.timeout(LIST_MS_MAX));
    // An EC2 filter treats * and ? as patterns.
    const own = found.filter(({ tags }) => tagOf(tags, TAGS.tenant) === tenant);
    return [...new Map(own.map((one) => [one.id, markOf(one)])).values()];
  };
