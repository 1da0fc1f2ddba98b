/** OS::Neutron::Net: a record. Its subnet creates the engine's network, which needs a range. */
import type { Answer, Call, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled } from "#providers/server-provider.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { asked, type BackEnd, textOfRefusal } from "../back-end.ts";
import {
  dropOwnRecord,
  isOfProject,
  LABELS,
  type Labels,
  labelsFor,
  markedRecords,
  readRecord,
  recordsOf,
  takeRecord,
} from "../objects.ts";

export const NET_ID = "hearth.net";

const NET: Empties = {
  value_specs: "the engine's networks have no extensions",
  tenant_id: "a network belongs to the project of its stack",
  shared: "a network belongs to one project",
  dhcp_agent_ids: "there are no DHCP agents",
  qos_policy: "the engine does not limit traffic",
  dns_domain: "the engine's names have no domain",
  availability_zone_hints: "one engine is one machine",
  port_security_enabled: "nothing filters the traffic of a network",
};

export const refuseNet: Refuse = (properties) =>
  refuseFilled(properties, NET) ??
  (properties["admin_state_up"] === false
    ? { property: "admin_state_up", why: "the engine's networks are always up" }
    : null);

/** Accepts an id, or a name that only one net of the project has. */
export const netOf = async (
  backEnd: BackEnd,
  tenant: string,
  idOrName: string,
): Promise<Labels | null> => {
  if (idOrName === "") return null;
  const known = await readRecord(backEnd, "net", idOrName);
  if (known !== null) return known[LABELS.tenant] === tenant ? known : null;
  const named = { [LABELS.tenant]: tenant, [LABELS.name]: idOrName };
  const found = await recordsOf(backEnd, "net", named);
  return found.length === 1 ? (found[0] ?? null) : null;
};

const attributesOf = (call: Call, id: string, subnets: readonly string[]) => ({
  name: nameOf(call, id),
  status: "ACTIVE",
  admin_state_up: "True",
  tenant_id: call.tenant,
  subnets,
});

const create = async (backEnd: BackEnd, call: Call): Promise<Answer> => {
  const wrong = refuseNet(call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const id = idOf(call.token);
  await takeRecord(backEnd, "net", id, labelsFor(call, "net", id, nameOf(call, id)));
  return { state: "finished", physicalId: id, attributes: attributesOf(call, id, []) };
};

const subnetsOf = async ({ networks }: BackEnd, id: string): Promise<readonly string[]> =>
  (await networks.list({ [NET_ID]: id })).map(({ Labels: labels }) => labels[LABELS.id] ?? "");

const look = async (backEnd: BackEnd, call: Call, id: string): Promise<Answer> => {
  const record = await readRecord(backEnd, "net", id);
  if (record === null || !isOfProject(record, call)) return { state: "gone" };
  const subnets = await subnetsOf(backEnd, id);
  return { state: "finished", attributes: attributesOf(call, id, subnets) };
};

/** A label cannot be changed, so other templates find the net by its id or by its first name. */
const rename = async (backEnd: BackEnd, call: ObjectCall): Promise<Answer> => {
  const wrong = refuseNet(call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const { physicalId: id } = call;
  return look(backEnd, call, id);
};

export const net = (backEnd: BackEnd): ProvidedType => ({
  description: "A network of the engine, made with its subnet.",
  properties: { name: { type: "string", updateAllowed: true } },
  attributes: {
    name: { type: "string" },
    status: { type: "string" },
    admin_state_up: { type: "string" },
    tenant_id: { type: "string" },
    subnets: { type: "list" },
  },
  tokens: "kept",
  create: (call) => asked(() => create(backEnd, call), idOf(call.token)),
  update: (call) => asked(() => rename(backEnd, call)),
  repairable: true,
  delete: (call) =>
    asked(async () => {
      await dropOwnRecord(backEnd, call, "net", call.physicalId);
      return { state: "finished" };
    }),
  check: (call) => asked(() => look(backEnd, call, call.physicalId)),
  list: async () => (await recordsOf(backEnd, "net", {})).map((one) => one[LABELS.id] ?? ""),
  marked: markedRecords(backEnd, "net"),
});
