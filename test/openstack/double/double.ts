/**
 * An OpenStack of five services in one HTTP server: only what the provider relies on. The suite
 * that `npm run lane -- openstack` plays on real services is played on it too.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as z from "zod/mini";
import { cinderRoutes } from "./cinder.ts";
import { neutronRoutes } from "./neutron.ts";
import { novaRoutes } from "./nova.ts";
import {
  type DoubleAnswer,
  type DoubleCall,
  type DoubleState,
  members,
  put,
  type Route,
  type Settings,
  textIn,
} from "./state.ts";

export interface OpenStackDouble {
  readonly authUrl: string;
  readonly state: DoubleState;
  readonly statuses: Map<number, number>;
  stop(): Promise<void>;
}

export const REGION = "RegionOne";
const TOKEN_MS = 3_600_000;
export const SECRET = "open sesame";

const credential = z.object({
  auth: z.object({
    identity: z.object({
      methods: z.tuple([z.literal("application_credential")]),
      application_credential: z.object({ id: z.string(), secret: z.string() }),
    }),
  }),
});

const SERVICES = [
  ["compute", "/compute/v2.1"],
  ["network", "/network"],
  ["block-storage", "/volume/v3"],
  ["image", "/image"],
] as const;

/** `base` is the address that the client used, which may be a proxy. */
const keystone = (base: string): readonly Route[] => [
  {
    method: "POST",
    path: /^\/v3\/auth\/tokens$/,
    answer: ({ state, body }) => {
      const read = z.safeParse(credential, body);
      const given = read.success ? read.data.auth.identity.application_credential : null;
      if (given?.secret !== SECRET) {
        const message = "The request you have made requires authentication.";
        return { status: 401, json: { error: { code: 401, message } } };
      }
      const token = `token-${state.tokens.size + 1}`;
      state.tokens.set(token, given.id);
      const catalog = SERVICES.map(([type, path]) => ({
        type,
        endpoints: [{ interface: "public", region: REGION, url: `${base}${path}` }],
      }));
      const expires_at = new Date(Date.now() + TOKEN_MS).toISOString();
      return {
        status: 201,
        headers: { "x-subject-token": token },
        json: { token: { expires_at, project: { id: given.id }, catalog } },
      };
    },
  },
];

const seed = (state: DoubleState): void => {
  const project = "system";
  for (const name of ["cirros", "ubuntu", "broken"]) {
    put(state, "images", { project, members: { name } });
  }
  for (const name of ["m1.tiny", "m1.small"]) put(state, "flavors", { project, members: { name } });
  const own = { name: "public", "router:external": true, visible: true };
  const network = put(state, "networks", { project, members: own });
  const range = { network_id: network.id, cidr: "203.0.113.0/24", gateway_ip: "203.0.113.1" };
  put(state, "subnets", { project, members: { name: "public", ...range } });
  for (const things of state.things.values()) {
    for (const thing of things.values()) thing.hidden = state.settings.hidden;
  }
  state.made.clear();
};

const parsed = (text: string) => {
  const read = z.safeParse(members, text === "" ? {} : JSON.parse(text));
  return read.success ? read.data : {};
};

const answerTo = (
  routes: readonly Route[],
  method: string,
  url: URL,
  call: Omit<DoubleCall, "parts" | "query">,
): DoubleAnswer => {
  for (const route of routes) {
    const found = route.method === method ? route.path.exec(url.pathname) : null;
    if (found !== null) {
      return route.answer({ ...call, parts: found.slice(1), query: url.searchParams });
    }
  }
  return { status: 404, json: { error: { code: 404, message: `${method} ${url.pathname}` } } };
};

const NO_TOKEN: DoubleAnswer = {
  status: 401,
  json: { error: { code: 401, message: "The request you have made requires authentication." } },
};

export const startOpenStackDouble = async (settings: Settings): Promise<OpenStackDouble> => {
  const state: DoubleState = {
    settings,
    things: new Map(),
    made: new Map(),
    tokens: new Map(),
    quotas: new Map(),
  };
  const statuses = new Map<number, number>();
  seed(state);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const base = `http://${request.headers.host}`;
    const url = new URL(request.url ?? "/", base);
    const token = textIn({ token: String(request.headers["x-auth-token"] ?? "") }, "token");
    const project = state.tokens.get(token);
    const body = parsed(Buffer.concat(chunks).toString("utf8"));
    const isKeystone = url.pathname.startsWith("/v3/");
    const routes = isKeystone ? keystone(base) : [...novaRoutes, ...neutronRoutes, ...cinderRoutes];
    const { method = "GET" } = request;
    const answer =
      isKeystone || project !== undefined
        ? answerTo(routes, method, url, { state, project: project ?? "", body })
        : NO_TOKEN;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.json === undefined ? undefined : JSON.stringify(answer.json));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    authUrl: `http://127.0.0.1:${portOf(server.address())}/v3`,
    state,
    statuses,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === "object" && address !== null ? address.port : 0;
