/** OS::Neutron::Net: a record. Its subnet creates the engine's network, which needs a range. */
import type { Answer, Call, ObjectCall, ProvidedType } from "#provider/provider.ts";
import { type Empties, type Refuse, refuseFilled, refuseOff } from "#providers/server-provider.ts";
import { idOf, nameOf } from "../../object-names.ts";
import { type At, type BackEnd, stepsAtOnceIn, textOfRefusal } from "../back-end.ts";
import {
  dropOwnRecord,
  isOfProject,
  LABELS,
  type Labels,
  labelsFor,
  listsOfRecords,
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
  refuseOff(properties, { admin_state_up: "the engine's networks are always up" });

/** Accepts an id, or a name that only one net of the project has. */
export const netOf = async (at: At, idOrName: string): Promise<Labels | null> => {
  if (idOrName === "") return null;
  const known = await readRecord(at, "net", idOrName);
  if (known !== null) return known[LABELS.tenant] === at.call.tenant ? known : null;
  const named = { [LABELS.tenant]: at.call.tenant, [LABELS.name]: idOrName };
  const found = await recordsOf(at, "net", named);
  return found.length === 1 ? (found[0] ?? null) : null;
};

const attributesOf = (call: Call, id: string, subnets: readonly string[]) => ({
  name: nameOf(call, id),
  status: "ACTIVE",
  admin_state_up: "True",
  tenant_id: call.tenant,
  subnets,
});

const create = async (at: At): Promise<Answer> => {
  const wrong = refuseNet(at.call.properties);
  if (wrong !== null) return { state: "failed", reason: textOfRefusal(wrong) };
  const id = idOf(at.call.token);
  await takeRecord(at, "net", id, labelsFor(at.call, "net", id, nameOf(at.call, id)));
  return { state: "finished", physicalId: id, attributes: attributesOf(at.call, id, []) };
};

const check = async (at: At<ObjectCall>): Promise<Answer> => {
  const { physicalId: id } = at.call;
  const record = await readRecord(at, "net", id);
  if (record === null || !isOfProject(record, at.call)) return { state: "gone" };
  const found = await at.networks.list({ [NET_ID]: id });
  const subnets = found.map(({ Labels: labels }) => labels[LABELS.id] ?? "");
  return { state: "finished", attributes: attributesOf(at.call, id, subnets) };
};

/** A label cannot be changed, so other templates find the net by its id or by its first name. */
const rename = async (at: At<ObjectCall>): Promise<Answer> => {
  const wrong = refuseNet(at.call.properties);
  return wrong === null ? check(at) : { state: "failed", reason: textOfRefusal(wrong) };
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
  ...stepsAtOnceIn(backEnd, {
    create,
    update: rename,
    remove: async (at) => {
      await dropOwnRecord(at, "net", at.call.physicalId);
      return { state: "finished" };
    },
    check,
  }),
  repairable: true,
  ...listsOfRecords(backEnd, "net"),
});
