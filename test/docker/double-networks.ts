/** Networks of the double. As in Docker 20.10, two networks can share a name but not a subnet. */
import * as z from "zod/mini";
import {
  conflict,
  type DoubleCall,
  type DoubleNetwork,
  type DoubleState,
  freeAddress,
  hasAddress,
  hasLabels,
  newId,
  type Route,
  refusal,
} from "./double-state.ts";

const specSchema = z.object({
  Name: z.string(),
  Labels: z._default(z.record(z.string(), z.string()), {}),
  IPAM: z.object({
    Config: z.array(z.object({ Subnet: z.string(), Gateway: z._default(z.string(), "") })),
  }),
});

const connection = z.object({
  Container: z.string(),
  Force: z._default(z.boolean(), false),
  EndpointConfig: z._default(
    z.object({ IPAMConfig: z.optional(z.object({ IPv4Address: z.optional(z.string()) })) }),
    {},
  ),
});

const shown = (found: DoubleNetwork, state: DoubleState) => ({
  Id: found.id,
  Name: found.name,
  Driver: "bridge",
  Labels: found.labels,
  IPAM: { Config: [{ Subnet: found.subnet, Gateway: found.gateway }] },
  Containers: Object.fromEntries(users(state, found).map(({ id, name }) => [id, { Name: name }])),
});

const users = ({ containers }: DoubleState, { name }: DoubleNetwork) =>
  [...containers.values()].filter(
    ({ addresses, status }) => addresses.has(name) && status === "running",
  );

const named = ({ state, name }: DoubleCall): readonly DoubleNetwork[] => {
  const own = state.networks.get(name);
  return own ? [own] : [...state.networks.values()].filter((one) => one.name === name);
};

const on =
  (act: (found: DoubleNetwork, call: DoubleCall) => ReturnType<Route["answer"]>) =>
  (call: DoubleCall) => {
    const [found, ...others] = named(call);
    if (found === undefined) return refusal(404, `network ${call.name} not found`);
    if (others.length > 0) return refusal(400, `network ${call.name} is ambiguous`);
    return act(found, call);
  };

const create = ({ state, body }: DoubleCall) => {
  const { Name: name, Labels: labels, IPAM } = specSchema.parse(body);
  const [{ Subnet: subnet, Gateway: gateway } = { Subnet: "", Gateway: "" }] = IPAM.Config;
  if ([...state.networks.values()].some((one) => one.subnet === subnet)) {
    return conflict(state, 403, "Pool overlaps with other one on this address space");
  }
  const found = { id: newId(state), name, labels, subnet, gateway };
  state.networks.set(found.id, found);
  return { status: 201, json: { Id: found.id } };
};

/** Podman removes a network that containers still use. */
const remove = on((found, { state }) => {
  if (state.kind === "docker" && users(state, found).length > 0) {
    return refusal(403, `network ${found.name} has active endpoints`);
  }
  state.networks.delete(found.id);
  return { status: 204 };
});

const connect = on((found, { state, body }) => {
  const { Container: container, EndpointConfig: given } = connection.parse(body);
  const target = state.containers.get(container);
  if (target === undefined) return refusal(404, `No such container: ${container}`);
  if (target.addresses.has(found.name)) {
    return conflict(state, 403, `endpoint already exists in network ${found.name}`);
  }
  const address = given.IPAMConfig?.IPv4Address ?? "";
  const isRunning = target.status === "running";
  if (isRunning && address !== "" && hasAddress(state, found.name, address, target)) {
    return conflict(state, 403, "Address already in use");
  }
  const chosen = isRunning ? address || freeAddress(state, found) : address;
  target.addresses.set(found.name, chosen);
  target.asked.set(found.name, address);
  return { status: 200 };
});

const leave = ({ state, body }: DoubleCall, network: string) => {
  const { Container: container } = connection.parse(body);
  const target = state.containers.get(container);
  if (target === undefined) return refusal(404, `No such container: ${container}`);
  if (!target.addresses.delete(network)) {
    return conflict(state, 403, `container ${container} is not connected to network ${network}`);
  }
  return { status: 200 };
};

/** With force, a container leaves a network that no longer exists. */
const disconnect = (call: DoubleCall) => {
  const isForced = connection.parse(call.body).Force && named(call).length === 0;
  return isForced ? leave(call, call.name) : on((found) => leave(call, found.name))(call);
};

export const networkRoutes: readonly Route[] = [
  {
    method: "GET",
    path: /^\/networks$/,
    answer: ({ state, query }) => ({
      status: 200,
      json: [...state.networks.values()]
        .filter(({ labels }) => hasLabels(labels, { state, query }))
        .map((found) => ({ ...shown(found, state), Containers: {} })),
    }),
  },
  { method: "POST", path: /^\/networks\/create$/, answer: create },
  {
    method: "GET",
    path: /^\/networks\/([^/]+)$/,
    answer: on((found, { state }) => ({ status: 200, json: shown(found, state) })),
  },
  { method: "POST", path: /^\/networks\/([^/]+)\/connect$/, answer: connect },
  { method: "POST", path: /^\/networks\/([^/]+)\/disconnect$/, answer: disconnect },
  { method: "DELETE", path: /^\/networks\/([^/]+)$/, answer: remove },
];
