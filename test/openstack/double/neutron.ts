/**
 * Neutron of the double. It creates at once, accepts a name twice, and refuses to delete what is in
 * use.
 */
import type { Json } from "#provider/provider.ts";
import {
  all,
  type DoubleAnswer,
  type DoubleCall,
  type DoubleState,
  listed,
  objectIn,
  put,
  quotaLeft,
  type Route,
  type Thing,
  textIn,
} from "./state.ts";

const refusal = (status: number, type: string, message: string): DoubleAnswer => ({
  status,
  json: { NeutronError: { type, message, detail: "" } },
});

const SINGULAR: Readonly<Record<string, string>> = {
  networks: "network",
  subnets: "subnet",
  ports: "port",
  routers: "router",
  floatingips: "floatingip",
  "security-groups": "security_group",
  "security-group-rules": "security_group_rule",
};

interface FixedIp {
  readonly subnet_id: string;
  readonly ip_address: string;
}

const fixedIps = ({ members }: Thing): readonly FixedIp[] => {
  const { fixed_ips: given } = members;
  if (!Array.isArray(given)) return [];
  return given.flatMap((one) => {
    const fixed = { ip: one };
    const ip = objectIn(fixed, "ip");
    return [{ subnet_id: textIn(ip, "subnet_id"), ip_address: textIn(ip, "ip_address") }];
  });
};

const portsOf = (state: DoubleState): readonly Thing[] => [...all(state, "ports").values()];

const subnetsOf = (state: DoubleState, network: string): readonly Thing[] =>
  [...all(state, "subnets").values()].filter((one) => one.members["network_id"] === network);

const baseOf = (subnet: Thing): string =>
  textIn(subnet.members, "cidr").split(".").slice(0, 3).join(".");

export const freeAddress = (state: DoubleState, subnet: Thing): string => {
  const taken = [
    ...portsOf(state).flatMap((port) => fixedIps(port).map(({ ip_address: ip }) => ip)),
    ...[...all(state, "floatingips").values()].map(({ members }) =>
      textIn(members, "floating_ip_address"),
    ),
  ];
  let last = 2;
  while (taken.includes(`${baseOf(subnet)}.${last}`)) last += 1;
  return `${baseOf(subnet)}.${last}`;
};

const addressesFor = (
  state: DoubleState,
  given: Record<string, Json>,
): FixedIp[] | DoubleAnswer => {
  const network = textIn(given, "network_id");
  const [first] = subnetsOf(state, network);
  const asked = given["fixed_ips"];
  const wanted = Array.isArray(asked) ? asked : first === undefined ? [] : [{}];
  const found: FixedIp[] = [];
  for (const one of wanted) {
    const ip = objectIn({ ip: one }, "ip");
    const subnet = all(state, "subnets").get(textIn(ip, "subnet_id")) ?? first;
    if (subnet === undefined) return refusal(400, "InvalidInput", "the network has no subnet");
    const address = textIn(ip, "ip_address") || freeAddress(state, subnet);
    const isTaken = portsOf(state).some((port) =>
      fixedIps(port).some((other) => other.ip_address === address),
    );
    if (isTaken) {
      const text = `IP address ${address} already allocated in subnet ${subnet.id}`;
      return refusal(409, "IpAddressAlreadyAllocated", text);
    }
    found.push({ subnet_id: subnet.id, ip_address: address });
  }
  return found;
};

export const newPort = (
  state: DoubleState,
  project: string,
  given: Record<string, Json>,
): Thing | DoubleAnswer => {
  const addresses = addressesFor(state, given);
  if (!Array.isArray(addresses)) return addresses;
  return put(state, "ports", {
    project,
    members: {
      device_id: "",
      device_owner: "",
      mac_address: "fa:16:3e:00:00:01",
      security_groups: [],
      allowed_address_pairs: [],
      port_security_enabled: true,
      status: "DOWN",
      ...given,
      fixed_ips: addresses.map((one) => ({ ...one })),
    },
  });
};

const rulesOf = (state: DoubleState, group: string): readonly Thing[] =>
  [...all(state, "security-group-rules").values()].filter(
    ({ members }) => members["security_group_id"] === group,
  );

const shown = (state: DoubleState, collection: string, thing: Thing) => ({
  ...thing.members,
  id: thing.id,
  tenant_id: thing.project,
  project_id: thing.project,
  ...(collection === "networks" ? { subnets: subnetsOf(state, thing.id).map(({ id }) => id) } : {}),
  ...(collection === "security-groups"
    ? {
        security_group_rules: rulesOf(state, thing.id).map((rule) => ({
          ...rule.members,
          id: rule.id,
        })),
      }
    : {}),
});

const rule = (group: string, given: Record<string, Json>): Record<string, Json> => ({
  direction: "ingress",
  ethertype: "IPv4",
  protocol: null,
  port_range_min: null,
  port_range_max: null,
  remote_group_id: null,
  remote_ip_prefix: null,
  description: "",
  ...given,
  security_group_id: group,
});

const withoutDescription = ({ description: _, ...rest }: Record<string, Json>): string =>
  JSON.stringify(Object.entries(rest).toSorted());

type Maker = (call: DoubleCall, given: Record<string, Json>) => Thing | DoubleAnswer;

const MAKERS: Readonly<Record<string, Maker>> = {
  networks: ({ state, project }, given) =>
    put(state, "networks", {
      project,
      members: {
        status: "ACTIVE",
        mtu: 1_450,
        admin_state_up: true,
        "router:external": false,
        ...given,
      },
    }),
  subnets: ({ state, project }, given) => {
    const network = textIn(given, "network_id");
    if (!all(state, "networks").has(network)) {
      return refusal(404, "NetworkNotFound", `Network ${network} could not be found.`);
    }
    if (subnetsOf(state, network).some(({ members }) => members["cidr"] === given["cidr"])) {
      return refusal(400, "InvalidInput", `Requested subnet overlaps with another subnet`);
    }
    const base = textIn(given, "cidr").split(".").slice(0, 3).join(".");
    const own = { gateway_ip: `${base}.1`, dns_nameservers: [], host_routes: [] };
    return put(state, "subnets", { project, members: { ...own, allocation_pools: [], ...given } });
  },
  ports: ({ state, project }, given) =>
    all(state, "networks").has(textIn(given, "network_id"))
      ? newPort(state, project, given)
      : refusal(404, "NetworkNotFound", "Network could not be found."),
  routers: ({ state, project }, given) =>
    put(state, "routers", {
      project,
      members: { status: "ACTIVE", external_gateway_info: null, ...given },
    }),
  floatingips: ({ state, project }, given) => {
    const [subnet] = subnetsOf(state, textIn(given, "floating_network_id"));
    if (subnet === undefined) return refusal(404, "NetworkNotFound", "Network could not be found.");
    const address = freeAddress(state, subnet);
    return put(state, "floatingips", {
      project,
      members: { port_id: null, fixed_ip_address: null, floating_ip_address: address, ...given },
    });
  },
  "security-groups": ({ state, project }, given) => {
    const group = put(state, "security-groups", { project, members: given });
    for (const ethertype of ["IPv4", "IPv6"]) {
      const own = rule(group.id, { direction: "egress", ethertype });
      put(state, "security-group-rules", { project, members: own });
    }
    return group;
  },
  "security-group-rules": ({ state, project }, given) => {
    const group = textIn(given, "security_group_id");
    if (!all(state, "security-groups").has(group)) {
      return refusal(404, "SecurityGroupNotFound", `Security group ${group} does not exist`);
    }
    const made = rule(group, given);
    const known = rulesOf(state, group).map(({ members }) => withoutDescription(members));
    return known.includes(withoutDescription(made))
      ? refusal(409, "SecurityGroupRuleExists", "Security group rule already exists.")
      : put(state, "security-group-rules", { project, members: made });
  },
};

const user = ({ state }: DoubleCall, collection: string, { id }: Thing): string | null => {
  const uses: Readonly<Record<string, (port: Thing) => boolean>> = {
    networks: ({ members }) => members["network_id"] === id,
    subnets: (port) => fixedIps(port).some((ip) => ip.subnet_id === id),
    routers: ({ members }) => members["device_id"] === id,
    "security-groups": ({ members }) => JSON.stringify(members["security_groups"]).includes(id),
  };
  const isUser = uses[collection];
  return (isUser && portsOf(state).find(isUser)?.id) ?? null;
};

const drop = (call: DoubleCall, collection: string, thing: Thing): DoubleAnswer => {
  const { state } = call;
  const port = user(call, collection, thing);
  if (port !== null)
    return refusal(409, "InUse", `Unable to complete operation: port ${port} is in use.`);
  all(state, collection).delete(thing.id);
  const below = collection === "networks" ? "subnets" : "security-group-rules";
  const key = collection === "networks" ? "network_id" : "security_group_id";
  if (collection === "networks" || collection === "security-groups") {
    for (const [id, one] of all(state, below)) {
      if (one.members[key] === thing.id) all(state, below).delete(id);
    }
  }
  return { status: 204 };
};

const isAsked = (query: URLSearchParams) => (thing: Thing) =>
  [...query].every(([key, value]) => {
    if (key === "id") return thing.id === value;
    if (key === "fixed_ips") {
      return fixedIps(thing).some((ip) => `subnet_id=${ip.subnet_id}` === value);
    }
    return String(thing.members[key] ?? (key === "router:external" ? false : "")) === value;
  });

const COLLECTION =
  "(networks|subnets|ports|routers|floatingips|security-groups|security-group-rules)";

const on =
  (act: (thing: Thing, call: DoubleCall, collection: string) => DoubleAnswer): Route["answer"] =>
  (call) => {
    const [collection = "", id = ""] = call.parts;
    const thing = all(call.state, collection).get(id);
    return thing === undefined
      ? refusal(404, "NotFound", `${SINGULAR[collection]} ${id} could not be found.`)
      : act(thing, call, collection);
  };

const one = (state: DoubleState, collection: string, thing: Thing) => ({
  [SINGULAR[collection] ?? ""]: shown(state, collection, thing),
});

const create: Route["answer"] = (call) => {
  const [collection = ""] = call.parts;
  if (!quotaLeft(call, collection)) {
    return refusal(409, "OverQuota", `Quota exceeded for resources: ['${SINGULAR[collection]}'].`);
  }
  const made = MAKERS[collection]?.(call, objectIn(call.body, SINGULAR[collection] ?? ""));
  if (made === undefined) return { status: 404 };
  return "status" in made ? made : { status: 201, json: one(call.state, collection, made) };
};

const addInterface: Route["answer"] = (call) => {
  const { state, project, body, parts } = call;
  const router = all(state, "routers").get(parts[0] ?? "");
  const subnet = all(state, "subnets").get(textIn(body, "subnet_id"));
  if (router === undefined || subnet === undefined) return refusal(404, "NotFound", "not found");
  const isThere = portsOf(state).some(
    (port) =>
      port.members["device_id"] === router.id &&
      fixedIps(port).some((ip) => ip.subnet_id === subnet.id),
  );
  if (isThere) return refusal(400, "BadRequest", "Router already has a port on subnet.");
  const ip = { subnet_id: subnet.id, ip_address: textIn(subnet.members, "gateway_ip") };
  const made = newPort(state, project, {
    network_id: subnet.members["network_id"] ?? null,
    device_id: router.id,
    device_owner: "network:router_interface",
    fixed_ips: [ip],
  });
  return "status" in made ? made : { status: 200, json: { port_id: made.id } };
};

const removeInterface: Route["answer"] = ({ state, body, parts }) => {
  const subnet = textIn(body, "subnet_id");
  const port = portsOf(state).find(
    (each) =>
      each.members["device_id"] === parts[0] &&
      fixedIps(each).some((ip) => ip.subnet_id === subnet),
  );
  if (port === undefined) return refusal(404, "RouterInterfaceNotFound", "no such interface");
  all(state, "ports").delete(port.id);
  return { status: 200, json: {} };
};

export const neutronRoutes: readonly Route[] = [
  {
    method: "GET",
    path: new RegExp(`^/network/v2\\.0/${COLLECTION}$`),
    answer: (call) => {
      const [collection = ""] = call.parts;
      const found = listed(call, collection, isAsked(call.query));
      const things = found.map((thing) => shown(call.state, collection, thing));
      return { status: 200, json: { [collection.replaceAll("-", "_")]: things } };
    },
  },
  { method: "POST", path: new RegExp(`^/network/v2\\.0/${COLLECTION}$`), answer: create },
  {
    method: "GET",
    path: new RegExp(`^/network/v2\\.0/${COLLECTION}/([^/]+)$`),
    answer: on((thing, { state }, collection) => ({
      status: 200,
      json: one(state, collection, thing),
    })),
  },
  {
    method: "PUT",
    path: new RegExp(`^/network/v2\\.0/${COLLECTION}/([^/]+)$`),
    answer: on((thing, { state, body }, collection) => {
      Object.assign(thing.members, objectIn(body, SINGULAR[collection] ?? ""));
      return { status: 200, json: one(state, collection, thing) };
    }),
  },
  {
    method: "PUT",
    path: new RegExp(`^/network/v2\\.0/${COLLECTION}/([^/]+)/tags$`),
    answer: on((thing, { body }) => {
      thing.members["tags"] = body["tags"] ?? [];
      return { status: 200, json: { tags: thing.members["tags"] } };
    }),
  },
  {
    method: "DELETE",
    path: new RegExp(`^/network/v2\\.0/${COLLECTION}/([^/]+)$`),
    answer: on((thing, call, collection) => drop(call, collection, thing)),
  },
  {
    method: "PUT",
    path: /^\/network\/v2\.0\/routers\/([^/]+)\/add_router_interface$/,
    answer: addInterface,
  },
  {
    method: "PUT",
    path: /^\/network\/v2\.0\/routers\/([^/]+)\/remove_router_interface$/,
    answer: removeInterface,
  },
];
