/**
 * Types such as networks and volumes for a stack whose servers are existing machines. Nothing is
 * made: a record only provides the attributes. The address of a port is that of the machine whose
 * server uses it.
 */
import type { Machine } from "#lib/inventory/inventory.ts";
import { mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  Handler,
  Ignored,
  Progress,
  ProviderCall,
  ResourceSchema,
  ResourceType,
} from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import { takeMachine, wantedIn } from "./existing-machine.ts";
import { FLOATING_ADDRESSES, PORT } from "./existing-names.ts";
import { serverOfAddress } from "./server-of-address.ts";
import { known, storedSchema } from "./stub.ts";

const INSTEAD: readonly (readonly [start: string, instead: string])[] = [
  ["OS::Neutron::SecurityGroup", "a record: nothing filters the traffic of the machines"],
  ["AWS::EC2::SecurityGroup", "a record: nothing filters the traffic of the machines"],
  ["AWS::EC2::EIP", "a record, with the address of its server's machine"],
  ["AWS::EC2::Volume", "a record: the machines keep their disks"],
  ["AWS::EC2::", "a record: the machines keep their networks"],
  ["OS::Neutron::Port", "a record, with the address of its server's machine"],
  ["OS::Neutron::FloatingIP", "a record, with the address of its server's machine"],
  ["OS::Nova::FloatingIP", "a record, with the address of its server's machine"],
  ["OS::Neutron::", "a record: the machines keep their networks"],
  ["OS::Cinder::", "a record: the machines keep their disks"],
  ["OS::Glance::", "a record: the machines run what is installed on them"],
  ["OS::Nova::KeyPair", "a record: the machines keep their keys"],
  ["OS::Nova::", "a record: the machines stay as they are"],
  ["OS::Aodh::", "a record: nothing measures, so it never signals"],
];

/** @returns null when the type works without a cloud, or when a record cannot take its place. */
const insteadOf = (type: string): string | null =>
  INSTEAD.find(([start]) => type.startsWith(start))?.[1] ?? null;

const ignoredBy = ({ properties }: ResourceSchema, object: string): Ignored => ({
  object,
  properties: mapOf(
    Object.keys(properties === "any" ? {} : properties).map((name) => [name, object]),
  ),
});

type Found =
  | { readonly state: "found"; readonly machine: Machine | undefined }
  | Extract<Progress, { state: "failed" }>;

const hasAddress = (type: string): boolean => type === PORT || FLOATING_ADDRESSES.includes(type);

const machineOf = async (type: string, engine: Ports, call: ProviderCall): Promise<Found> => {
  if (!hasAddress(type)) return { state: "found", machine: undefined };
  const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
  const server = serverOfAddress(loaded, call.resourceName);
  if (server === null) return { state: "found", machine: undefined };
  const wanted = await wantedIn(engine, call, loaded, server);
  const taking = await takeMachine(engine, call, loaded, wanted, null);
  return taking.state === "taken"
    ? { state: "found", machine: taking.machine }
    : { state: "failed", reason: taking.why, errorType: "NoMachine" };
};

const record =
  (type: Pick<ResourceType, "type" | "schema">, engine: Ports): Handler =>
  async (call, { ids }) => {
    const found = await machineOf(type.type, engine, call);
    if (found.state === "failed") return found;
    const id = call.physicalResourceId ?? ids.derive(call.token);
    return {
      state: "finished",
      physicalResourceId: id,
      ...known(type, call, id, found.machine),
      note: "A record: nothing was made",
    };
  };

export const existingRecord = (
  engine: Ports,
  { type, schema, snapshots }: ResourceType,
): ResourceType | null => {
  const instead = insteadOf(type);
  if (instead === null) return null;
  const declared = { type, schema: storedSchema(schema) };
  const forget: Handler = async () => ({ state: "finished", physicalResourceId: null });
  return {
    ...declared,
    ignores: ignoredBy(schema, instead),
    lifecycle: {
      ...OWN_LIFECYCLE,
      handleCreate: record(declared, engine),
      handleUpdate: record(declared, engine),
      handleDelete: forget,
      handleCheck: async () => ({ state: "finished" }),
      handleSuspend: async () => ({ state: "finished" }),
      handleResume: async () => ({ state: "finished" }),
    },
    ...(snapshots ? { snapshots: { handleSnapshotDelete: forget } } : {}),
  };
};
