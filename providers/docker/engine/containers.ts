/**
 * Containers. A name is unique and taken atomically, so it serves as the key. Podman answers 500
 * where Docker answers 409, so callers look at the result instead of the status.
 */
import * as z from "zod/mini";
import {
  CONFLICT,
  type Engine,
  hasAll,
  isSuccess,
  type Labels,
  labelFilter,
  labelsSchema,
  messageOf,
  NOT_FOUND,
  readAnswer,
  refusedBy,
} from "./client.ts";
import { filesIn, type PackedFile, tarOf } from "./tar.ts";

const REMOVES_ALREADY = CONFLICT;
/** Podman's error after a removal was cut off: only its database still has the container. */
const HALF_REMOVED = /container not known/;
const STOP_SECONDS = 5;

const endpoint = z.object({
  NetworkID: z._default(z.string(), ""),
  IPAddress: z._default(z.string(), ""),
  MacAddress: z._default(z.string(), ""),
});

const networkSettings = z.object({ Networks: z.nullish(z.record(z.string(), endpoint)) });

const containerSchema = z.object({
  Id: z.string(),
  Name: z.string(),
  Image: z.string(),
  Created: z.string(),
  State: z.object({ Status: z.string() }),
  Config: z.object({ Labels: labelsSchema }),
  HostConfig: z._default(
    z.object({
      Memory: z.nullish(z.number()),
      CpuPeriod: z.nullish(z.number()),
      CpuQuota: z.nullish(z.number()),
      RestartPolicy: z.nullish(z.object({ Name: z.nullish(z.string()) })),
    }),
    {},
  ),
  NetworkSettings: networkSettings,
});

export type Container = z.infer<typeof containerSchema>;

const listed = z.array(
  z.object({
    Id: z.string(),
    Labels: labelsSchema,
    NetworkSettings: z._default(networkSettings, { Networks: null }),
  }),
);

export type ContainerSpec = Readonly<Record<string, unknown>>;

const at = (name: string, rest = ""): string => `/containers/${encodeURIComponent(name)}${rest}`;

export const containersOf = (engine: Engine) => ({
  /** Accepts an id or a name. A container that was half removed counts as missing. */
  inspect: async (name: string): Promise<Container | null> => {
    const answer = await engine.ask({ method: "GET", path: at(name, "/json") });
    if (answer.status === NOT_FOUND) return null;
    const isHalfRemoved = !isSuccess(answer) && HALF_REMOVED.test(messageOf(answer));
    return isHalfRemoved ? null : readAnswer(containerSchema, answer);
  },
  create: (name: string, json: ContainerSpec) =>
    engine.ask({ method: "POST", path: "/containers/create", query: { name }, json }),
  start: (name: string) => engine.ask({ method: "POST", path: at(name, "/start") }),
  stop: (name: string) =>
    engine.ask({ method: "POST", path: at(name, "/stop"), query: { t: String(STOP_SECONDS) } }),
  unpause: (name: string) => engine.ask({ method: "POST", path: at(name, "/unpause") }),
  rename: (id: string, name: string) =>
    engine.ask({ method: "POST", path: at(id, "/rename"), query: { name } }),
  /** Returns false if another call is removing the container. */
  remove: async (name: string): Promise<boolean> => {
    const query = { force: "1", v: "1" };
    const answer = await engine.ask({ method: "DELETE", path: at(name), query });
    if (isSuccess(answer) || answer.status === NOT_FOUND) return true;
    if (answer.status === REMOVES_ALREADY) return false;
    throw refusedBy(answer);
  },
  update: (name: string, json: ContainerSpec) =>
    engine.ask({ method: "POST", path: at(name, "/update"), json }),
  hasFile: async (name: string, path: string): Promise<boolean> =>
    isSuccess(await engine.ask({ method: "HEAD", path: at(name, "/archive"), query: { path } })),
  putFiles: async (name: string, files: readonly PackedFile[]): Promise<void> => {
    const path = at(name, "/archive");
    const answer = await engine.ask({
      method: "PUT",
      path,
      query: { path: "/" },
      tar: tarOf(files),
    });
    if (!isSuccess(answer)) throw refusedBy(answer);
  },
  readFile: async (name: string, path: string): Promise<string | null> => {
    const answer = await engine.ask({ method: "GET", path: at(name, "/archive"), query: { path } });
    if (answer.status === NOT_FOUND) return null;
    if (!isSuccess(answer)) throw refusedBy(answer);
    const [text = null] = filesIn(Buffer.from(answer.text)).values();
    return text;
  },
  list: async (wanted: Labels) => {
    const query = { all: "1", filters: labelFilter(wanted) };
    const answer = await engine.ask({ method: "GET", path: "/containers/json", query });
    return readAnswer(listed, answer)
      .filter(({ Labels }) => hasAll(Labels, wanted))
      .map(({ Id, Labels, NetworkSettings }) => ({
        id: Id,
        labels: Labels,
        addresses: Object.values(NetworkSettings.Networks ?? {})
          .map(({ IPAddress }) => IPAddress)
          .filter(Boolean),
      }));
  },
});

export type Containers = ReturnType<typeof containersOf>;
