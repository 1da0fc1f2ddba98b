import { basename } from "node:path";
import * as z from "zod/mini";
import { filesIn, tarOf } from "#providers/docker/engine/tar.ts";
import {
  conflict,
  type DoubleCall,
  type DoubleContainer,
  type DoubleState,
  freeAddress,
  hasAddress,
  hasLabels,
  newId,
  type Route,
  refusal,
} from "./double-state.ts";

const labels = z._default(z.record(z.string(), z.string()), {});
const endpoint = z.object({
  IPAMConfig: z.optional(z.object({ IPv4Address: z.optional(z.string()) })),
});
const specSchema = z.object({
  Image: z.string(),
  Labels: labels,
  HostConfig: z._default(
    z.looseObject({
      NetworkMode: z._default(z.string(), "bridge"),
      Mounts: z._default(z.array(z.object({ Source: z.string() })), []),
    }),
    { NetworkMode: "bridge", Mounts: [] },
  ),
  NetworkingConfig: z._default(
    z.object({ EndpointsConfig: z._default(z.record(z.string(), endpoint), {}) }),
    { EndpointsConfig: {} },
  ),
});

const byName = ({ state, name }: DoubleCall): DoubleContainer | null =>
  state.containers.get(name) ??
  [...state.containers.values()].find(({ id }) => id === name) ??
  null;

const missing = ({ name }: DoubleCall) => refusal(404, `No such container: ${name}`);

const on =
  (act: (found: DoubleContainer, call: DoubleCall) => ReturnType<Route["answer"]>) =>
  (call: DoubleCall) => {
    const found = byName(call);
    return found === null ? missing(call) : act(found, call);
  };

const networkNamed = ({ networks }: DoubleState, name: string) =>
  [...networks.values()].find((one) => one.name === name || one.id === name);

const shown = (state: DoubleState, found: DoubleContainer) => ({
  Id: found.id,
  Name: `/${found.name}`,
  Image: found.image,
  Created: found.created,
  State: { Status: found.status },
  Config: { Labels: found.labels },
  HostConfig: found.limits,
  NetworkSettings: {
    Networks: Object.fromEntries(
      [...found.addresses].map(([name, address]) => [
        name,
        {
          NetworkID: networkNamed(state, name)?.id ?? "",
          IPAddress: found.status === "running" ? address : "",
          MacAddress: "02:42:00:00:00:02",
        },
      ]),
    ),
  },
});

const create = ({ state, query, body }: DoubleCall) => {
  const name = query.get("name") ?? "";
  const spec = specSchema.parse(body);
  if (!state.images.has(spec.Image)) return refusal(404, `No such image: ${spec.Image}`);
  const inUse = `The name "${name}" is already in use`;
  const names = [state.containers, state.heldNames, state.halfRemoved, state.takenNames];
  if (names.some((taken) => taken.has(name))) return conflict(state, 409, inUse);
  const { NetworkMode: mode, Mounts: mounts } = spec.HostConfig;
  if (mode !== "none" && networkNamed(state, mode) === undefined) {
    return refusal(404, `network ${mode} not found`);
  }
  const asked = Object.entries(spec.NetworkingConfig.EndpointsConfig).map(
    ([network, given]) => [network, given.IPAMConfig?.IPv4Address ?? ""] as const,
  );
  const found: DoubleContainer = {
    id: newId(state),
    name,
    image: spec.Image,
    labels: spec.Labels,
    created: new Date().toISOString(),
    status: "created",
    limits: spec.HostConfig,
    volumes: mounts.map(({ Source }) => Source),
    addresses: new Map(asked.length > 0 || mode === "none" ? asked : [[mode, ""]]),
    asked: new Map(asked),
    files: new Map(state.images.get(spec.Image)?.map((path) => [path, ""])),
  };
  state.containers.set(name, found);
  return { status: 201, json: { Id: found.id, Warnings: [] } };
};

const start = on((found, { state }) => {
  if (found.status === "running") return { status: 304 };
  const left = state.unstartable.get(found.name);
  if (left !== undefined) {
    found.status = left;
    return refusal(500, `crun: container \`${found.id}\` already exists`);
  }
  const gone = [...found.addresses.keys()].find((name) => networkNamed(state, name) === undefined);
  if (gone !== undefined) return refusal(404, `network ${gone} not found`);
  for (const [network, address] of found.addresses) {
    if (address !== "" && hasAddress(state, network, address, found)) {
      return conflict(state, 403, "Address already in use");
    }
    const { subnet } = networkNamed(state, network) ?? { subnet: "172.17.0.0/16" };
    const chosen = address || freeAddress(state, { name: network, subnet });
    found.addresses.set(network, chosen);
  }
  found.status = "running";
  return { status: 204 };
});

const stop = on((found) => {
  if (found.status !== "running") return { status: 304 };
  found.status = "exited";
  for (const name of found.addresses.keys()) {
    found.addresses.set(name, found.asked.get(name) ?? "");
  }
  return { status: 204 };
});

const remove = (call: DoubleCall) => {
  const { state, name } = call;
  if (state.heldNames.delete(name) || state.halfRemoved.delete(name)) return { status: 204 };
  const found = byName(call);
  if (found === null) return missing(call);
  state.containers.delete(found.name);
  state.unstartable.delete(found.name);
  return { status: 204 };
};

const update = on((found, { state, body }) => {
  if (state.kind === "podman") return refusal(404, "Not Found");
  found.limits = { ...found.limits, ...z.record(z.string(), z.unknown()).parse(body) };
  return { status: 200, json: { Warnings: null } };
});

const rename = on((found, { state, query }) => {
  const name = query.get("name") ?? "";
  if (state.containers.has(name)) {
    return conflict(state, 409, `The name "${name}" is already in use`);
  }
  state.containers.delete(found.name);
  state.containers.set(name, found);
  found.name = name;
  return { status: 204 };
});

const hasFile = on((found, { query }) => ({
  status: found.files.has(query.get("path") ?? "") ? 200 : 404,
}));

const readFile = on((found, { query }) => {
  const path = query.get("path") ?? "";
  const text = found.files.get(path);
  if (text === undefined) return refusal(404, `Could not find the file ${path}`);
  return { status: 200, tar: tarOf([{ path: `/${basename(path)}`, text, mode: 0o600 }]) };
});

const putFiles = on((found, { body }) => {
  const files = filesIn(z.instanceof(Buffer).parse(body));
  for (const [name, text] of files) found.files.set(`/${name}`, text);
  return { status: 200 };
});

const inspect = on((found, { state }) => ({ status: 200, json: shown(state, found) }));

export const containerRoutes: readonly Route[] = [
  {
    method: "GET",
    path: /^\/containers\/json$/,
    answer: ({ state, query }) => ({
      status: 200,
      json: [...state.containers.values()]
        .filter((found) => hasLabels(found.labels, { state, query }))
        .map((found) => {
          const { Id, NetworkSettings } = shown(state, found);
          return { Id, Labels: found.labels, NetworkSettings };
        }),
    }),
  },
  { method: "POST", path: /^\/containers\/create$/, answer: create },
  {
    method: "GET",
    path: /^\/containers\/([^/]+)\/json$/,
    answer: (call) =>
      call.state.halfRemoved.has(call.name)
        ? refusal(500, `getting container from store "${call.name}": container not known`)
        : inspect(call),
  },
  { method: "POST", path: /^\/containers\/([^/]+)\/start$/, answer: start },
  { method: "POST", path: /^\/containers\/([^/]+)\/stop$/, answer: stop },
  { method: "POST", path: /^\/containers\/([^/]+)\/update$/, answer: update },
  { method: "POST", path: /^\/containers\/([^/]+)\/rename$/, answer: rename },
  { method: "DELETE", path: /^\/containers\/([^/]+)$/, answer: remove },
  { method: "HEAD", path: /^\/containers\/([^/]+)\/archive$/, answer: hasFile },
  { method: "GET", path: /^\/containers\/([^/]+)\/archive$/, answer: readFile },
  { method: "PUT", path: /^\/containers\/([^/]+)\/archive$/, answer: putFiles },
];
