/**
 * Types such as networks and volumes for a stack whose servers are existing machines. Nothing is
 * made: a record only provides the attributes. The address of a port is that of the machine whose
 * server uses it.
 */
import { EXISTING_PREFIX, type Machine } from "#lib/inventory/inventory.ts";
import { type Json, mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type {
  Handler,
  Ignored,
  Progress,
  ProviderCall,
  ResourceSchema,
  ResourceType,
} from "#lib/ports/resource-type.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { mapType } from "#lib/template/environment/registry.ts";
import { resourcesIn } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import { known, storedSchema } from "../fake-provider/stub.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import {
  ADDRESS_LINKS,
  FLOATING_ADDRESSES,
  isServerType,
  PORT,
  SERVER,
  takeMachine,
  wantedIn,
} from "./existing-machine.ts";

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

const CONNECTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  [SERVER, ["networks"]],
  ...FLOATING_ADDRESSES.map((type): [string, readonly string[]] => [
    type,
    ["port_id", "InstanceId"],
  ]),
  ...ADDRESS_LINKS.map((type): [string, readonly string[]] => [
    type,
    ["port_id", "server_id", "floatingip_id", "floating_ip", "InstanceId", "EIP", "AllocationId"],
  ]),
]);

type Typed = readonly [definition: ResourceDefinition, type: string];

/** Only the types that the built-in environment maps; the user's own mappings do not count. */
const existingIn = ({ source, template }: LoadedTemplate): readonly Typed[] =>
  [...template.resources.values()].flatMap((definition): Typed[] => {
    const { type } = mapType(source.environment.resourceRegistry, definition.name, definition.type);
    return type.startsWith(EXISTING_PREFIX)
      ? [[definition, type.slice(EXISTING_PREFIX.length)]]
      : [];
  });

const namesIn = ({ template }: LoadedTemplate, value: Json): readonly string[] =>
  resourcesIn(functionsOf(template.version), value);

const connectionsOf = (loaded: LoadedTemplate, [definition, type]: Typed): readonly string[] =>
  (CONNECTIONS.get(type) ?? []).flatMap((key) =>
    namesIn(loaded, definition.properties[key] ?? null),
  );

const isWay = (type: string): boolean =>
  type === PORT || FLOATING_ADDRESSES.includes(type) || ADDRESS_LINKS.includes(type);

/**
 * Finds the server of a template that uses a port or a floating address, before any of them is
 * created. Only properties that connect resources count, because user data may mention any address.
 */
const serverOfAddress = (
  loaded: LoadedTemplate,
  resourceName: string,
): ResourceDefinition | null => {
  const all = existingIn(loaded);
  const byName = new Map(all.map((one) => [one[0].name, one]));
  const neighbours = new Map<string, Set<string>>(all.map(([{ name }]) => [name, new Set()]));
  for (const one of all) {
    for (const target of connectionsOf(loaded, one)) {
      neighbours.get(one[0].name)?.add(target);
      neighbours.get(target)?.add(one[0].name);
    }
  }
  const seen = new Set([resourceName]);
  for (const name of seen) {
    const [definition, type] = byName.get(name) ?? [];
    if (definition !== undefined && type !== undefined && isServerType(type)) return definition;
    // Many servers may share a network, so the search continues only through ports and addresses.
    if (type === undefined || !isWay(type)) continue;
    for (const next of neighbours.get(name) ?? []) seen.add(next);
  }
  return null;
};
