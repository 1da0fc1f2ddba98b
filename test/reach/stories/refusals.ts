import { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { connect as connectPlain } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import * as z from "zod";
import { until } from "../../agents/rig.ts";
import { MACHINE_ADDRESS } from "../namespaces.ts";
import { FOREIGN_PROJECT, PROJECT, readAccessLog, type Site, type Story } from "../site.ts";

interface Attempt {
  readonly name: string;
  readonly url: string;
  /** Sent in addition to, or in place of, the right Host. */
  readonly headers: readonly string[];
  readonly status: number;
  readonly reason: string;
  readonly project?: string;
}

/** Each attempt has a path of its own, by which its log entry is found. */
const attemptsAt = (site: Site): readonly Attempt[] => {
  const { endpoint } = site.connection;
  const { host } = new URL(endpoint);
  const ours = [`Host: ${host}`, `X-Auth-Token: ${site.token}`];
  const at = (name: string): string => `${endpoint}/v1/${PROJECT}/stacks/${name}`;
  return [
    { name: "no-token", headers: [`Host: ${host}`], status: 401, reason: "no-token" },
    {
      name: "a-wrong-token",
      headers: [`Host: ${host}`, `X-Auth-Token: ${"x".repeat(site.token.length)}`],
      status: 401,
      reason: "unknown-token",
    },
    {
      name: "a-foreign-project",
      headers: [`Host: ${host}`, `X-Auth-Token: ${site.foreignToken}`],
      status: 403,
      reason: "foreign-project",
      project: FOREIGN_PROJECT,
    },
    {
      name: "a-wrong-host",
      headers: ["Host: evil.example", ...ours.slice(1)],
      status: 403,
      reason: "foreign-host",
    },
    { name: "two-hosts", headers: [...ours, `Host: ${host}`], status: 400, reason: "two-hosts" },
    { name: "no-host", headers: ours.slice(1), status: 400, reason: "no-host" },
    {
      name: "a-page-of-another-origin",
      headers: [...ours, "Origin: https://evil.example"],
      status: 403,
      reason: "foreign-origin",
    },
  ]
    .map((attempt) => ({ ...attempt, url: at(attempt.name) }))
    .concat([
      {
        name: "a good token at the agents' listener",
        url: `${site.agentsUrl}/v1/${PROJECT}/stacks/at-the-agents`,
        headers: [`Host: ${new URL(site.agentsUrl).host}`, ...ours.slice(1)],
        status: 404,
        reason: "signed-routes-only",
      },
      {
        name: "a signed route without a signature",
        url: `${site.agentsUrl}/v1/agent/metadata/00000000-0000-4000-8000-000000000000`,
        headers: [`Host: ${new URL(site.agentsUrl).host}`],
        status: 403,
        reason: "refused-by-route",
      },
    ]);
};

/** Sends the headers unchanged, which fetch would not do. */
const statusOf = async ({ url, headers }: Attempt, caFile: string): Promise<number> => {
  const { hostname, port, pathname } = new URL(url);
  const ca = readFileSync(caFile, "utf8");
  const socket = connect({ host: hostname, port: Number(port), ca });
  const head = [`GET ${pathname} HTTP/1.1`, ...headers, "Connection: close", "", ""];
  socket.write(head.join("\r\n"));
  const answer = await text(socket);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
};

const Entry = z.object({
  time: z.iso.datetime(),
  remote: z.string().nullable(),
  method: z.string().nullable(),
  path: z.string().nullable(),
  status: z.number().nullable(),
  project: z.string().nullable(),
  reason: z.string().nullable(),
});

const entriesIn = (log: string) =>
  log
    .trim()
    .split("\n")
    .map((line) => Entry.parse(JSON.parse(line)));

const refusals: Story = {
  name: "no token, a wrong one, a foreign project, a wrong Host and five more are refused, and each is in the access log",
  play: async (site) => {
    const attempts = attemptsAt(site);
    const statuses = [];
    for (const attempt of attempts) {
      statuses.push([attempt.name, await statusOf(attempt, site.caFile)]);
    }
    deepEqual(
      statuses,
      attempts.map(({ name, status }) => [name, status]),
    );
    const last = new URL(attempts.at(-1)?.url ?? "").pathname;
    await until("the log has the last attempt", () => readAccessLog(site).includes(last));
    const entries = entriesIn(readAccessLog(site));
    for (const { url, status, reason, project = null } of attempts) {
      const path = new URL(url).pathname;
      const recorded = entries.filter((entry) => entry.path === path);
      deepEqual(
        recorded.map(({ time: _, ...entry }) => entry),
        [{ remote: MACHINE_ADDRESS, method: "GET", path, status, project, reason }],
      );
    }
  },
};

const clearText: Story = {
  name: "a request without TLS gets no answer, and is in the access log",
  play: async (site) => {
    const { hostname, port } = new URL(site.connection.endpoint);
    const socket = connectPlain({ host: hostname, port: Number(port) });
    socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}\r\nX-Auth-Token: ${site.token}\r\n\r\n`);
    const answer = await text(socket).catch(() => "cut");
    equal(/HTTP\/1\.1 [23]/.test(answer), false, answer);
    await until("the log has it", () =>
      entriesIn(readAccessLog(site)).some(
        ({ reason, remote }) => reason === "tls" && remote === MACHINE_ADDRESS,
      ),
    );
  },
};

const silent: Story = {
  name: "the access log holds no token and no signature, and only its owner reads it",
  play: async (site) => {
    const log = readAccessLog(site);
    for (const secret of [site.token, site.foreignToken, "sig="])
      equal(log.includes(secret), false);
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    const files = ["access.log", "keys.json"].map((name) => modeOf(join(site.data, name)));
    deepEqual([modeOf(site.data), ...files], ["700", "600", "600"]);
  },
};

const revoked: Story = {
  name: "a token that is revoked beside the running host is refused from then on",
  play: async (site) => {
    const foreign = { HEARTH_TOKEN: site.foreignToken, HEARTH_PROJECT: FOREIGN_PROJECT };
    const asked = () => site.hearthWith(foreign, "stack", "list");
    equal((await asked()).exitCode, 0);
    const words = ["token", "revoke", site.foreignToken, "--data", site.data];
    equal((await site.hearth(...words)).exitCode, 0);
    const { exitCode, printed } = await asked();
    equal(exitCode, 1);
    match(printed, /The token is mistyped, revoked or expired/);
  },
};

export const refusalStories: readonly Story[] = [refusals, clearText, silent, revoked];
