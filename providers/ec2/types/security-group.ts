import type { Filter, SecurityGroup } from "@aws-sdk/client-ec2";
import type { Answer, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { idOf, nameOf } from "#providers/object-names.ts";
import { isChanged, type Refuse } from "#providers/server-provider.ts";
import type { Step } from "#providers/steps.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import {
  type At,
  type Caller,
  type Ec2Accounts,
  foundLater,
  hasCode,
  ignoring,
  orMissing,
} from "../account.ts";
import { differs, expectPossible, failed, looksAgain, removed, stepsIn } from "../asked.ts";
import { allPages } from "../objects/looks.ts";
import { inVpc, vpcOf } from "../objects/place.ts";
import {
  isOfProject,
  markedIn,
  NAME,
  ofOperation,
  TAGS,
  tagged,
  tagOf,
  tagsFor,
  withTag,
} from "../tags.ts";
import { permissionOf, presentRules, type Rule, wantedRules, without } from "./group-rules.ts";

/** EC2 accepts 255 characters, and part of an id follows the name. */
const TEXT_CHARS_MAX = 240;
const TEXT = /^[A-Za-z0-9. _:/()#,@[\]+=&;{}!$*-]*$/;

const isText = (text: string): boolean => text.length <= TEXT_CHARS_MAX && TEXT.test(text);

export const refuseSecurityGroup: Refuse = (properties) => {
  const name = textOf(properties["name"]);
  const why = `EC2 takes ${TEXT_CHARS_MAX} letters, digits and some signs`;
  if (!isText(name)) return { property: "name", why };
  if (name.startsWith("sg-")) return { property: "name", why: "in EC2 only ids begin with sg-" };
  return isText(textOf(properties["description"])) ? null : { property: "description", why };
};

const rulesOf = async (at: At, own: string): Promise<readonly Rule[] | string> => {
  const ids = new Map<string, string>([["", own]]);
  for (const rule of objectsOf(at.call.properties["rules"])) {
    const name = textOf(rule["remote_group_id"]);
    if (ids.has(name)) continue;
    const id = await groupIdOf(at, name);
    if (id === null) return `The SecurityGroup (${name}) could not be found.`;
    ids.set(name, id);
  }
  return wantedRules(at.call.properties, (name) => ids.get(name) ?? "");
};

/** A repeated call may find its own rule, or miss one that it has removed. */
const DONE = ["InvalidPermission.Duplicate", "InvalidPermission.NotFound"] as const;

const unlessDone = ignoring((error) => hasCode(error, ...DONE));

/** Each call has one rule, so that an existing rule does not block the others. */
const bring = async (at: At, id: string): Promise<Answer> => {
  const { ec2, abort } = at;
  const group = await groupById(at, id);
  if (group === null) return looksAgain(at, id);
  const wanted = await rulesOf(at, id);
  if (typeof wanted === "string") return { state: "failed", reason: wanted, physicalId: id };
  const present = presentRules(group);
  for (const rule of without(wanted, present)) {
    const given = { GroupId: id, IpPermissions: [permissionOf(rule)] };
    await unlessDone(
      rule.egress
        ? ec2.authorizeSecurityGroupEgress(given, abort)
        : ec2.authorizeSecurityGroupIngress(given, abort),
    );
  }
  for (const rule of without(present, wanted)) {
    const given = { GroupId: id, IpPermissions: [permissionOf(rule)] };
    await unlessDone(
      rule.egress
        ? ec2.revokeSecurityGroupEgress(given, abort)
        : ec2.revokeSecurityGroupIngress(given, abort),
    );
  }
  return { state: "finished", physicalId: id };
};

const ownId = async ({ ec2, call, abort }: At): Promise<string | null> => {
  const asked = ec2.describeSecurityGroups({ Filters: ofOperation(call) }, abort);
  return (await orMissing(asked))?.SecurityGroups?.[0]?.GroupId ?? null;
};

const create = async (at: At): Promise<Answer> => {
  expectPossible(refuseSecurityGroup(at.call.properties));
  const own = idOf(at.call.token);
  const name = nameOf(at.call, own);
  // Names are unique in EC2 but not in Neutron. A replacement has the same name too.
  const groupName = `${name} ${own.slice(0, 8)}`;
  try {
    const { GroupId: id = "" } = await at.ec2.createSecurityGroup(
      {
        GroupName: groupName,
        Description: textOf(at.call.properties["description"]) || name,
        VpcId: await vpcOf(at),
        TagSpecifications: tagged("security-group", tagsFor(at.call, name)),
      },
      at.abort,
    );
    return looksAgain(at, id);
  } catch (error) {
    if (!hasCode(error, "InvalidGroup.Duplicate")) throw error;
    const id = await foundLater(at, () => ownId(at));
    return id === null
      ? failed(`EC2: the VPC has a security group ${groupName} already`)
      : looksAgain(at, id);
  }
};

const find = async (at: At): Promise<Answer | null> => {
  const id = await foundLater(at, () => ownId(at));
  return id === null ? null : looksAgain(at, id);
};

const update = async (at: At<ObjectCall>): Promise<Answer> => {
  if (isChanged(at.call, "name") || isChanged(at.call, "description")) return { state: "replace" };
  const group = await groupById(at, at.call.physicalId);
  if (group === null || !isOfProject(group.Tags, at.call.tenant)) return { state: "gone" };
  return bring(at, at.call.physicalId);
};

const remove = (at: At<Step>): Promise<Answer> => {
  const { physicalId: id } = at.call;
  return removed(at, {
    look: async () => {
      const group = await groupById(at, id);
      return group && (group.Tags ?? []);
    },
    remove: () => at.ec2.deleteSecurityGroup({ GroupId: id }, at.abort),
  });
};

const sameRules = (wanted: readonly Rule[], present: readonly Rule[]): boolean =>
  without(wanted, present).length === 0 && without(present, wanted).length === 0;

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const group = await groupById(at, at.call.physicalId);
  if (group === null || !isOfProject(group.Tags, at.call.tenant)) return { state: "gone" };
  const wanted = await rulesOf(at, at.call.physicalId);
  if (typeof wanted === "string") return failed(wanted);
  const isSame = sameRules(wanted, presentRules(group));
  return isSame ? { state: "finished" } : differs("somebody else has changed the rules");
};

export const securityGroup = (accounts: Ec2Accounts): ProvidedType => ({
  description: "A security group of EC2.",
  properties: {
    name: { type: "string", updateAllowed: true },
    description: { type: "string", updateAllowed: true },
    rules: {
      type: "list",
      default: [],
      updateAllowed: true,
      items: { type: "map", default: {} },
    },
  },
  tokens: "searchable",
  ...stepsIn(accounts, {
    create,
    created: (at) => bring(at, at.call.physicalId),
    find,
    update,
    updated: (at) => bring(at, at.call.physicalId),
    remove,
    check,
  }),
  repairable: true,
  marked: markedIn(accounts, async ({ ec2, abort }, Filters) => {
    const groups = await allPages(
      (next) => ec2.describeSecurityGroups({ Filters, ...next }, abort),
      ({ SecurityGroups = [] }) => SecurityGroups,
    );
    return groups.map(({ GroupId: id = "", Tags: tags = [] }) => ({ id, tags }));
  }),
});

const GROUP_ID = /^sg-[0-9a-f]+$/;

const groupById = async ({ ec2, abort }: At<Caller>, id: string): Promise<SecurityGroup | null> => {
  const asked = ec2.describeSecurityGroups({ GroupIds: [id] }, abort);
  return (await orMissing(asked))?.SecurityGroups?.[0] ?? null;
};

export const DEFAULT_GROUP = "default";

const namedBy = (name: string, tenant: string): readonly Filter[][] => [
  [{ Name: "group-name", Values: [name] }],
  [withTag(NAME, name), withTag(TAGS.tenant, tenant)],
];

export const groupIdOf = async (at: At<Caller>, name: string): Promise<string | null> => {
  const { tenant } = at.call;
  if (GROUP_ID.test(name)) {
    const found = await foundLater(at, () => groupById(at, name));
    return found !== null && isOfProject(found.Tags, tenant) ? name : null;
  }
  const here = inVpc(await vpcOf(at));
  for (const filters of namedBy(name, tenant)) {
    const given = { Filters: [...filters, here] };
    const asked = at.ec2.describeSecurityGroups(given, at.abort);
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
