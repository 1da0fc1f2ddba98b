/**
 * An inventory lists the existing machines of a user, and which server of a template uses which
 * machine. It is part of an environment, so a stack stores it with its other values.
 */
import * as z from "zod/mini";
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { recordOf } from "#lib/json-schema.ts";

/**
 * @limit machines of an inventory
 * @beyond the file is refused
 */
const MACHINES_MAX = 10_000;
const RULES_MAX = 1_000;

const given = z.string().check(z.minLength(1, "must not be empty"));
const text = z.string("must be text");
const address = z.union([z.ipv4(), z.ipv6()], "must be an IP address");
const addresses = z.pipe(
  z.union([z.array(address), address], "must be an IP address, or a list of them"),
  z.transform((value: string | string[]) => (typeof value === "string" ? [value] : value)),
);

const machine = z.strictObject({
  name: given,
  /** Templates get this as the address of the server and of its ports. */
  address,
  /** Floating addresses of the server have this address. The default is `address`. */
  public_address: z.optional(address),
  addresses: z._default(recordOf(addresses), {}),
  labels: z._default(recordOf(text), {}),
  groups: z._default(z.array(given), []),
});

const binding = {
  machine: z.optional(given),
  group: z.optional(given),
  labels: z.optional(recordOf(text)),
};

const rule = z
  .strictObject({ server: given, ...binding })
  .check(
    z.refine(
      (one) => one.machine !== undefined || one.group !== undefined || one.labels !== undefined,
      "needs machine, group or labels",
    ),
  );

const inventory = z.strictObject({
  machines: z.array(machine).check(z.maxLength(MACHINES_MAX, `has more than ${MACHINES_MAX}`)),
  servers: z._default(
    z.array(rule).check(z.maxLength(RULES_MAX, `has more than ${RULES_MAX}`)),
    [],
  ),
});

export type Machine = z.infer<typeof machine>;
export type ServerRule = z.infer<typeof rule>;
export type Inventory = z.infer<typeof inventory>;

interface InventoryFault {
  readonly path: readonly (string | number)[];
  readonly why: string;
}

export type InventoryReading =
  | { readonly state: "read"; readonly inventory: Inventory }
  | { readonly state: "wrong"; readonly fault: InventoryFault };

const repeatedName = ({ machines }: Inventory): InventoryFault | null => {
  const seen = new Set<string>();
  for (const [at, { name }] of machines.entries()) {
    if (seen.has(name))
      return { path: ["machines", at, "name"], why: `two machines have the name ${name}` };
    seen.add(name);
  }
  return null;
};

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  array: "a list",
  object: "a map",
};

const whyOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === "unrecognized_keys") return `unknown: ${issue.keys.join(", ")}`;
  if (issue.code !== "invalid_type") return issue.message;
  return issue.input === undefined
    ? "is missing"
    : `must be ${KINDS[issue.expected] ?? issue.expected}`;
};

export const readInventory = (value: Json): InventoryReading => {
  const read = z.safeParse(inventory, value, { reportInput: true });
  if (read.success) {
    const fault = repeatedName(read.data);
    return fault === null ? { state: "read", inventory: read.data } : { state: "wrong", fault };
  }
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).map((key) => (typeof key === "number" ? key : String(key)));
  return { state: "wrong", fault: { path, why: issue === undefined ? "is wrong" : whyOf(issue) } };
};

export const faultText = ({ path, why }: InventoryFault): string => {
  const place = path.map((one) => (typeof one === "number" ? `[${one}]` : `.${one}`)).join("");
  return `${place.replace(/^\./, "") || "the inventory"}: ${why}`;
};

export const EXISTING_PREFIX = "Hearth::Existing::";

/**
 * Only these types are mapped. All others keep their names, because some types find others by name:
 * a wait condition looks for its handle.
 */
const MAPPED: readonly string[] = [
  "OS::Nova::*",
  "OS::Neutron::*",
  "OS::Quantum::*",
  "OS::Cinder::*",
  "OS::Glance::*",
  "OS::Aodh::*",
  "OS::Ceilometer::*",
  "OS::Metering::*",
  "AWS::EC2::*",
  "OS::Heat::ScaledResource",
];

export const EXISTING_ENVIRONMENT: JsonObject = {
  resource_registry: mapOf(MAPPED.map((type) => [type, EXISTING_PREFIX + type])),
};

export const INVENTORY_PARAMETER = "hearth_inventory";

export const inventoryEnvironment = (content: JsonObject): JsonObject => ({
  parameter_defaults: { [INVENTORY_PARAMETER]: content },
});
