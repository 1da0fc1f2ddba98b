import { deepEqual, equal, ok } from "node:assert/strict";
import {
  bodiesWithoutRoute,
  faultOf,
  ownersReads,
  strangersQueries,
  strangersRequests,
} from "#test/integration/security/route-cases.ts";
import { makeTenantStack, type SendAs } from "#test/integration/security/tenant-stacks.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  FOREIGN_PROJECT,
  hot,
  type Lane,
  PROJECT,
  remove,
  type StackRef,
  type Story,
} from "../lane.ts";
import { signedUrlStories } from "./signed-urls.ts";

const statusOf = async (
  { url }: Lane,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> => (await fetch(`${url}${path}`, { headers })).status;

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

const credentials: Story = {
  name: "a request without a good credential is 401, one for another's project 403",
  play: async (lane) => {
    const own = `/v1/${PROJECT}/stacks`;
    const foreign = { "X-Auth-Token": lane.foreignToken };
    equal(await statusOf(lane, own), 401);
    equal(await statusOf(lane, own, { "X-Auth-Token": "wrong" }), 401);
    equal(await statusOf(lane, own, foreign), 403);
    equal(await statusOf(lane, "/v1/other/stacks", foreign), 200);
    equal(await statusOf(lane, own, basic(PROJECT, lane.token)), 200);
    equal(await statusOf(lane, own, basic("other", lane.token)), 401);
    equal(await statusOf(lane, own, basic(PROJECT, "wrong")), 401);
    equal(await statusOf(lane, "/"), 300);
  },
};

const EVENTS_MS_MAX = 60_000;

const sendThrough =
  ({ url, token, foreignToken }: Lane): SendAs =>
  async (tenant, method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: { "X-Auth-Token": tenant === PROJECT ? token : foreignToken },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const headers = JSON.stringify([...answer.headers]);
    return { status: answer.status, headers, body: await answer.text() };
  };

const otherTenants: Story = {
  name: "another project's stacks are invisible, by every route, with its ids and with mixed ones",
  play: async (lane) => {
    deepEqual(bodiesWithoutRoute(), []);
    const send = sendThrough(lane);
    const made = (tenant: string, mark: string) =>
      makeTenantStack(send, tenant, mark, async (path, status) => {
        const [id = ""] = path.split("/").slice(-1);
        const client = tenant === PROJECT ? lane.client : lane.foreignClient;
        const stack = { stack_name: `${mark}-stack`, id };
        await ends({ ...lane, client }, stack, status);
        // The event, whose id is needed, is stored after the change that it reports.
        await eventually("the events are there", EVENTS_MS_MAX, async () => {
          const found = await client.events(stack, { resource_name: `${mark}_thing` });
          return found.length > 0 || null;
        });
      });
    const [alpha, beta] = [await made(PROJECT, "alpha"), await made(FOREIGN_PROJECT, "beta")];
    const path = `/v1/${PROJECT}/stacks/${alpha.ids.stack_name}/${alpha.ids.stack_id}`;
    const before = (await send(PROJECT, "GET", path)).body;
    const faults: (string | null)[] = [];
    const asked = [
      ...strangersRequests(beta.ids, alpha.ids),
      ...strangersQueries(beta.ids, alpha.ids),
    ];
    for (const request of asked) {
      const answer = await send(FOREIGN_PROJECT, request.method, request.path, request.body);
      const text = answer.headers + answer.body;
      faults.push(faultOf(request, { status: answer.status, text }, alpha.secrets));
    }
    deepEqual(
      faults.filter((fault) => fault !== null),
      [],
    );
    equal((await send(PROJECT, "GET", path)).body, before);
    for (const request of ownersReads(alpha.ids)) {
      const { status } = await send(PROJECT, request.method, request.path);
      ok([200, 300, 302].includes(status), `the owner's ${request.path} is ${status}`);
    }
    await remove(lane, { stack_name: alpha.ids.stack_name, id: alpha.ids.stack_id });
    const theirs = { stack_name: beta.ids.stack_name, id: beta.ids.stack_id };
    await remove({ ...lane, client: lane.foreignClient }, theirs);
  },
};

const HIDDEN = hot(
  { value: { type: "OS::Heat::Value", properties: { value: { get_param: "secret" } } } },
  { parameters: { secret: { type: "string", hidden: true } } },
);

const hiddenStack = async (
  lane: Lane,
  name: string,
): Promise<{ readonly stack: StackRef; readonly secret: string }> => {
  const secret = `planted-${crypto.randomUUID()}`;
  lane.planted.push(secret);
  const stack = await create(lane, name, HIDDEN, { parameters: { secret } });
  await ends(lane, stack, "CREATE_COMPLETE");
  return { stack, secret };
};

const hidden: Story = {
  name: "a hidden parameter is in no unrequested answer, no table and no log",
  play: async (lane) => {
    const { stack, secret } = await hiddenStack(lane, "hidden");
    const headers = { "X-Auth-Token": lane.token };
    const paths = ["", "/environment", "/template", "/events", "/resources"];
    for (const path of paths) {
      const url = `${lane.url}/v1/${PROJECT}/stacks/${stack.stack_name}/${stack.id}${path}`;
      const text = await (await fetch(url, { headers })).text();
      ok(!text.includes(secret), `${path} shows it`);
    }
    await remove(lane, stack);
  },
};

/** Play this last, because it searches everything that the other stories have left. */
export const nothingLeaked: Story = {
  name: "no table, blob, message or log line holds a hidden parameter, a token, a URL's signature or a server's report",
  isLast: true,
  play: async (lane) => {
    const { account, planted, token, foreignToken, wire } = lane;
    // A deleted stack leaves no blob, so a living one is needed for the search.
    const living = await hiddenStack(lane, "searched");
    const places = {
      tables: await account.tablesText(),
      blobs: await account.blobsText(),
      logs: await account.logsText(),
      ...(wire ? { messages: wire.messagesText() } : {}),
    };
    for (const [name, text] of Object.entries(places))
      ok(text.length > 0, `${name} to look through`);
    ok(places.logs.includes("handled a message"), "the visits' log lines");
    ok(planted.length > 0, "planted secrets");
    const leaks = Object.entries(places).flatMap(([name, text]) => [
      ...[...planted, token, foreignToken].filter((secret) => text.includes(secret)),
      ...(/[?&]sig=|%26sig%3D|%3Fkid%3D/i.test(text) ? [`a signed URL is in the ${name}`] : []),
    ]);
    deepEqual(leaks, []);
    await remove(lane, living.stack);
  },
};

export const securityStories: readonly Story[] = [
  credentials,
  otherTenants,
  hidden,
  ...signedUrlStories,
];
