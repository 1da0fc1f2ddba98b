/** Assigns a machine of the stack's inventory to a server, and releases it again. */
import * as z from "zod/mini";
import { machinesFor, type WantedServer } from "#lib/inventory/bind-machine.ts";
import {
  faultText,
  INVENTORY_PARAMETER,
  type InventoryReading,
  type Machine,
  readInventory,
} from "#lib/inventory/inventory.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { TakenMachine } from "#lib/model/software-config.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import {
  type LoadedTemplate,
  loadTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import { resolveInStack } from "#lib/stack/resolve-in-stack.ts";
import { resolveValue } from "#lib/template/functions/resolve.ts";
import { valueBudget } from "#lib/template/functions/value-budget.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";

type Taking =
  | { readonly state: "taken"; readonly machine: Machine }
  | { readonly state: "refused"; readonly why: string };

const NO_INVENTORY =
  "The stack has no inventory of machines. Give --inventory FILE, whose machines are the servers.";

const inventoryOf = (source: TemplateSource): InventoryReading | null => {
  const value = member(source.environment.parameterDefaults, INVENTORY_PARAMETER);
  return value === undefined ? null : readInventory(value);
};

const TELLING = ["name", "metadata", "Tags"] as const;

const taggings = z.catch(z.array(z.object({ Key: z.string(), Value: z.string() })), []);

/** An instance of AWS has no name and no metadata, so its tags serve as both. */
const wantedOf = (resourceName: string, properties: JsonObject): WantedServer => {
  const given = member(properties, "metadata") ?? null;
  const tags = taggings.parse(member(properties, "Tags"));
  const tagged = mapOf(tags.map(({ Key, Value }): [string, Json] => [Key, Value]));
  const name = member(properties, "name") ?? member(tagged, "Name");
  return {
    resourceName,
    name: typeof name === "string" && name !== "" ? name : null,
    metadata: mergedMaps(tagged, isJsonObject(given) ? given : {}),
  };
};

export const wantedBy = ({ resourceName, properties }: ProviderCall): WantedServer =>
  wantedOf(resourceName, properties);

/** A port or an address needs the machine of its server before that server is created. */
export const wantedIn = async (
  engine: Ports,
  call: ProviderCall,
  loaded: LoadedTemplate,
  { name: resourceName, properties }: ResourceDefinition,
): Promise<WantedServer> => {
  const stack = await engine.store.getStack(call.tenant, call.stackId);
  if (stack === null) return { resourceName, name: null, metadata: {} };
  const resolved = await resolveInStack(engine, stack, loaded, (scope, shared): JsonObject => {
    const budget = valueBudget(shared);
    const place = `resources.${resourceName}.properties`;
    return mapOf(
      TELLING.map((key): [string, Json] => {
        const value = properties[key] ?? null;
        return [key, resolveValue(loaded.template, value, scope, `${place}.${key}`, budget)];
      }),
    );
  });
  return wantedOf(resourceName, resolved);
};

type Holder = Pick<TakenMachine, "tenant" | "stackId" | "resourceName" | "serverId">;

const isFor = (taken: TakenMachine, { stackId, resourceName, serverId }: Holder): boolean =>
  (taken.stackId === stackId && taken.resourceName === resourceName) ||
  (serverId !== null && taken.serverId === serverId);

/**
 * An abandoned stack and a retained server never release their machine. Neither does a port that
 * reserved one for a server that was never made, once a rollback has removed that server.
 */
const isForgotten = async (engine: Ports, taken: TakenMachine): Promise<boolean> => {
  const { tenant, stackId, resourceName, serverId } = taken;
  const stack = await engine.store.getStack(tenant, stackId);
  if (stack === null || stack.deletedAt !== null) return true;
  if (serverId !== null || stack.status === "IN_PROGRESS") return false;
  const { template } = await loadTemplate(engine, tenant, stackId, stack.templateId);
  return !template.resources.has(resourceName);
};

const claim = async (
  engine: Ports,
  taking: TakenMachine,
  taken: TakenMachine | undefined,
): Promise<boolean> => {
  const { softwareConfigs } = engine;
  const isOwn = taken?.stackId === taking.stackId && taken.resourceName === taking.resourceName;
  if (isOwn && (taking.serverId === null || taken.serverId === taking.serverId)) return true;
  if (taken !== undefined && !isOwn) {
    if (!(await isForgotten(engine, taken))) return false;
    await softwareConfigs.releaseMachine(taken);
  }
  return softwareConfigs.takeMachine(taking);
};

/** A machine that the server already has comes first, so a repeated call gets the same one. */
const inOrder = (
  machines: readonly Machine[],
  taken: ReadonlyMap<string, TakenMachine>,
  holder: Holder,
): readonly Machine[] => {
  const rank = ({ name }: Machine): number => {
    const one = taken.get(name);
    if (one === undefined) return 1;
    return isFor(one, holder) ? 0 : 2;
  };
  return [...machines].sort((left, right) => rank(left) - rank(right));
};

const nothingBound = ({ resourceName }: WantedServer, by: string): string =>
  `No machine of the inventory fits the server ${resourceName} by ${by}. Name a machine after it, or add to the inventory: servers: [{server: ${resourceName}, machine: NAME}].`;

const holderText = async ({ store }: Ports, holder: TakenMachine): Promise<string> => {
  const stack = await store.getStack(holder.tenant, holder.stackId);
  return ` (server ${holder.resourceName} of the stack ${stack?.name ?? holder.stackId})`;
};

const allTaken = async (
  engine: Ports,
  { resourceName }: WantedServer,
  machines: readonly Machine[],
  taken: ReadonlyMap<string, TakenMachine>,
): Promise<string> => {
  const [first] = machines;
  const holder = taken.get(first?.name ?? "");
  const who = holder === undefined ? "" : await holderText(engine, holder);
  const more = machines.length > 1 ? ` and ${machines.length - 1} more` : "";
  return `No machine is free for the server ${resourceName}: ${first?.name} is taken${who}${more}.`;
};

const candidates = (
  source: TemplateSource,
  wanted: WantedServer,
): { readonly machines: readonly Machine[] } | { readonly why: string } => {
  const reading = inventoryOf(source);
  if (reading === null) return { why: NO_INVENTORY };
  if (reading.state === "wrong") return { why: `The inventory: ${faultText(reading.fault)}` };
  const bound = machinesFor(reading.inventory, wanted);
  if ("why" in bound) return bound;
  const { machines, by } = bound;
  return machines.length === 0 ? { why: nothingBound(wanted, by) } : { machines };
};

const isText = (value: Json): boolean => value === null || typeof value === "string";

const isTextMap = (value: Json): boolean =>
  isJsonObject(value) ? Object.values(value).every(isText) : isText(value);

const isWritten = ({ name = null, metadata = null, Tags: tags = null }: JsonObject): boolean =>
  isText(name) && isTextMap(metadata) && (isJsonArray(tags) ? tags.every(isTextMap) : isText(tags));

/**
 * Explains why no machine fits the server as its template is written.
 * @returns null when a machine fits, when there is no inventory yet, or when only computed values
 * can decide.
 */
export const whyNoMachine = (
  source: TemplateSource,
  { name: resourceName, properties }: Pick<ResourceDefinition, "name" | "properties">,
): string | null => {
  if (!isWritten(properties) || inventoryOf(source) === null) return null;
  const bound = candidates(source, wantedOf(resourceName, properties));
  return "why" in bound ? bound.why : null;
};

export const takeMachine = async (
  engine: Ports,
  { tenant, stackId }: ProviderCall,
  loaded: LoadedTemplate,
  wanted: WantedServer,
  serverId: string | null,
): Promise<Taking> => {
  const bound = candidates(loaded.source, wanted);
  if ("why" in bound) return { state: "refused", why: bound.why };
  const all = await engine.softwareConfigs.listTakenMachines(tenant);
  const taken = new Map(all.map((one) => [one.name, one]));
  const holder: Holder = { tenant, stackId, resourceName: wanted.resourceName, serverId };
  for (const machine of inOrder(bound.machines, taken, holder)) {
    const { name } = machine;
    if (await claim(engine, { ...holder, name }, taken.get(name))) {
      return { state: "taken", machine };
    }
  }
  return { state: "refused", why: await allTaken(engine, wanted, bound.machines, taken) };
};

export const wantsOtherMachine = async (
  engine: Ports,
  call: ProviderCall,
  loaded: LoadedTemplate,
  serverId: string,
): Promise<boolean> => {
  const bound = candidates(loaded.source, wantedBy(call));
  const own = (await takenBy(engine, call, serverId)).map(({ name }) => name);
  if ("why" in bound || own.length === 0) return false;
  return !bound.machines.some(({ name }) => own.includes(name));
};

const takenBy = async (
  { softwareConfigs }: Ports,
  { tenant, stackId }: ProviderCall,
  serverId: string,
): Promise<readonly TakenMachine[]> =>
  (await softwareConfigs.listTakenMachines(tenant)).filter(
    (taken) => taken.stackId === stackId && taken.serverId === serverId,
  );

export const releaseMachines = async (
  engine: Ports,
  call: ProviderCall,
  serverId: string,
): Promise<void> => {
  for (const taken of await takenBy(engine, call, serverId)) {
    await engine.softwareConfigs.releaseMachine(taken);
  }
};

export const SERVER = "OS::Nova::Server";
const INSTANCE = "AWS::EC2::Instance";

/** OS::Heat::ScaledResource, the member type of scaling groups, is an alias of the second one. */
const SERVERS: readonly string[] = [SERVER, INSTANCE];

export const isServerType = (type: string): boolean => SERVERS.includes(type);

export const PORT = "OS::Neutron::Port";
export const FLOATING_ADDRESSES: readonly string[] = [
  "OS::Neutron::FloatingIP",
  "OS::Nova::FloatingIP",
  "AWS::EC2::EIP",
];
export const ADDRESS_LINKS: readonly string[] = [
  "OS::Neutron::FloatingIPAssociation",
  "OS::Nova::FloatingIPAssociation",
  "AWS::EC2::EIPAssociation",
];
