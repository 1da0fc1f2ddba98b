import * as z from "zod/mini";
import { type DoubleCall, hasLabels, type Route, refusal } from "./double-state.ts";

const specSchema = z.object({
  Name: z.string(),
  Labels: z._default(z.record(z.string(), z.string()), {}),
});

const missing = ({ name }: DoubleCall) => refusal(404, `get ${name}: no such volume`);

/** If the volume exists, the new labels are ignored. */
const create = ({ state, body }: DoubleCall) => {
  const { Name: name, Labels: labels } = specSchema.parse(body);
  if (!state.volumes.has(name)) state.volumes.set(name, labels);
  return { status: 201, json: { Name: name, Labels: state.volumes.get(name) } };
};

const remove = (call: DoubleCall) => {
  const { state, name } = call;
  const users = [...state.containers.values()].filter(({ volumes }) => volumes.includes(name));
  if (users.length > 0) return refusal(409, `remove ${name}: volume is in use`);
  return state.volumes.delete(name) ? { status: 204 } : missing(call);
};

export const volumeRoutes: readonly Route[] = [
  { method: "POST", path: /^\/volumes\/create$/, answer: create },
  {
    method: "GET",
    path: /^\/volumes$/,
    answer: ({ state, query }) => ({
      status: 200,
      json: {
        Volumes: [...state.volumes]
          .filter(([, labels]) => hasLabels(labels, { state, query }))
          .map(([Name, Labels]) => ({ Name, Labels })),
      },
    }),
  },
  {
    method: "GET",
    path: /^\/volumes\/([^/]+)$/,
    answer: (call) => {
      const labels = call.state.volumes.get(call.name);
      return labels === undefined
        ? missing(call)
        : { status: 200, json: { Name: call.name, Labels: labels } };
    },
  },
  { method: "DELETE", path: /^\/volumes\/([^/]+)$/, answer: remove },
];

/** The registry has only images whose name begins with its own host name. */
const REGISTRY = "registry.test/";

const pull = ({ state, query }: DoubleCall) => {
  const image = query.get("fromImage") ?? "";
  state.pulled.push(image);
  if (!image.startsWith(REGISTRY)) return refusal(404, `pull access denied for ${image}`);
  state.images.set(image.replace(/:latest$/, ""), ["/bin/sh"]);
  return { status: 200, json: { status: "Download complete" } };
};

export const imageRoutes: readonly Route[] = [
  { method: "POST", path: /^\/images\/create$/, answer: pull },
  {
    method: "GET",
    path: /^\/images\/(.+)\/json$/,
    answer: ({ state, name }) =>
      state.images.has(name)
        ? { status: 200, json: { Id: `id-${name}` } }
        : refusal(404, `No such image: ${name}`),
  },
];
