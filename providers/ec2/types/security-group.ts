import type { Filter, SecurityGroup } from "@aws-sdk/client-ec2";
import type { Answer, Call, ObjectCall, ProvidedType, WaitingCall } from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { idOf, nameOf } from "#providers/object-names.ts";
import { isChanged, type Refuse, refusedBy } from "#providers/server-provider.ts";
import { objectsOf, textOf } from "#providers/values.ts";
import {
  type Ec2Account,
  type Ec2Accounts,
  foundLater,
  hasCode,
  ignoring,
  orMissing,
} from "../account.ts";
import { differs, failed, inAccount, looksAgain, removed } from "../asked.ts";
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

const rulesOf = async (
  account: Ec2Account,
  call: Call,
  own: string,
): Promise<readonly Rule[] | string> => {
  const ids = new Map<string, string>([["", own]]);
  for (const rule of objectsOf(call.properties["rules"])) {
    const name = textOf(rule["remote_group_id"]);
    if (ids.has(name)) continue;
    const id = await groupIdOf(account, call, name);
    if (id === null) return `The SecurityGroup (${name}) could not be found.`;
    ids.set(name, id);
  }
  return wantedRules(call.properties, (name) => ids.get(name) ?? "");
};

/** A repeated call may find its own rule, or miss one that it has removed. */
const DONE = ["InvalidPermission.Duplicate", "InvalidPermission.NotFound"] as const;

const unlessDone = ignoring((error) => hasCode(error, ...DONE));

/** Each call has one rule, so that an existing rule does not block the others. */
const bring = async (account: Ec2Account, call: Call, id: string): Promise<Answer> => {
  const { ec2 } = account;
  const abort = { abortSignal: call.signal };
  const group = await groupById(account, id, call.signal);
  if (group === null) return looksAgain(account, id, id);
  const wanted = await rulesOf(account, call, id);
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

const ownId = async ({ ec2 }: Ec2Account, call: Call): Promise<string | null> => {
  const asked = ec2.describeSecurityGroups(
    { Filters: ofOperation(call) },
    { abortSignal: call.signal },
  );
  return (await orMissing(asked))?.SecurityGroups?.[0]?.GroupId ?? null;
};

const create = async (account: Ec2Account, call: Call): Promise<Answer> => {
  const wrong = refuseSecurityGroup(call.properties);
  if (wrong !== null) return failed(refusedBy("EC2", wrong));
  const own = idOf(call.token);
  const name = nameOf(call, own);
  // Names are unique in EC2 but not in Neutron. A replacement has the same name too.
  const groupName = `${name} ${own.slice(0, 8)}`;
  try {
    const { GroupId: id = "" } = await account.ec2.createSecurityGroup(
      {
        GroupName: groupName,
        Description: textOf(call.properties["description"]) || name,
        VpcId: await vpcOf(account, call.signal),
        TagSpecifications: tagged("security-group", tagsFor(call, name)),
      },
      { abortSignal: call.signal },
    );
    return looksAgain(account, id, id);
  } catch (error) {
    if (!hasCode(error, "InvalidGroup.Duplicate")) throw error;
    const id = await foundLater(account, call.signal, () => ownId(account, call));
    return id === null
      ? failed(`EC2: the VPC has a security group ${groupName} already`)
      : looksAgain(account, id, id);
  }
};

const find = async (account: Ec2Account, call: Call): Promise<Answer | null> => {
  const id = await foundLater(account, call.signal, () => ownId(account, call));
  return id === null ? null : looksAgain(account, id, id);
};

const update = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  if (isChanged(call, "name") || isChanged(call, "description")) return { state: "replace" };
  const group = await groupById(account, call.physicalId, call.signal);
  if (group === null || !isOfProject(group.Tags, call.tenant)) return { state: "gone" };
  return bring(account, call, call.physicalId);
};

const remove = (account: Ec2Account, call: ObjectCall | WaitingCall): Promise<Answer> => {
  const { physicalId: id, signal } = call;
  return removed(account, call, {
    look: async () => {
      const group = await groupById(account, id, signal);
      return group && (group.Tags ?? []);
    },
    remove: () => account.ec2.deleteSecurityGroup({ GroupId: id }, { abortSignal: signal }),
  });
};

const sameRules = (wanted: readonly Rule[], present: readonly Rule[]): boolean =>
  without(wanted, present).length === 0 && without(present, wanted).length === 0;

const check = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  const group = await groupById(account, call.physicalId, call.signal);
  if (group === null || !isOfProject(group.Tags, call.tenant)) return { state: "gone" };
  const wanted = await rulesOf(account, call, call.physicalId);
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
  callSecondsMax: CALL_SECONDS_MAX,
  create: inAccount(accounts, create),
  find: inAccount(accounts, find),
  poll: inAccount(accounts, (account, call: WaitingCall) =>
    call.action === "DELETE" ? remove(account, call) : bring(account, call, call.physicalId),
  ),
  cancel: async () => undefined,
  update: inAccount(accounts, update),
  repairable: true,
  delete: inAccount(accounts, remove),
  marked: markedIn(accounts, async ({ ec2 }, Filters, abortSignal) => {
    const pages = await allPages((next) =>
      ec2.describeSecurityGroups({ Filters, ...next }, { abortSignal }),
    );
    const groups = pages.flatMap(({ SecurityGroups = [] }) => SecurityGroups);
    return groups.map(({ GroupId: id = "", Tags: tags = [] }) => ({ id, tags }));
  }),
  check: inAccount(accounts, check),
});

const GROUP_ID = /^sg-[0-9a-f]+$/;

const groupById = async (
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
