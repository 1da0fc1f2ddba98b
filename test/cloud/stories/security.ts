/** Who may come in, and what nobody may read. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { create, ends, hot, type Lane, PROJECT, remove, type Story } from "../lane.ts";

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

const otherTenants: Story = {
  name: "a stack of another project is not there, by whatever path it is asked for",
  play: async (lane) => {
    const stack = await create(lane, "private", hot({ none: { type: "OS::Heat::None" } }));
    await ends(lane, stack, "CREATE_COMPLETE");
    const foreign = { "X-Auth-Token": lane.foreignToken };
    const suffixes = ["", "/events", "/resources", "/template", "/environment", "/outputs"];
    for (const suffix of suffixes) {
      const path = `stacks/${stack.stack_name}/${stack.id}${suffix}`;
      equal(await statusOf(lane, `/v1/other/${path}`, foreign), 404, path);
      equal(await statusOf(lane, `/v1/${PROJECT}/${path}`, foreign), 403, path);
      equal((await statusOf(lane, `//v1/${PROJECT}/${path}`, foreign)) === 200, false, path);
    }
    await remove(lane, stack);
  },
};

const SECRET_WORD = "planted";

const hidden: Story = {
  name: "a hidden parameter stands in no answer that nobody asked for, no table and no log",
  play: async (lane) => {
    const secret = `${SECRET_WORD}-${crypto.randomUUID()}`;
    lane.planted.push(secret);
    const template = hot(
      { value: { type: "OS::Heat::Value", properties: { value: { get_param: "secret" } } } },
      { parameters: { secret: { type: "string", hidden: true } } },
    );
    const stack = await create(lane, "hidden", template, { parameters: { secret } });
    await ends(lane, stack, "CREATE_COMPLETE");
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

/** To be played last: looks through everything that the others have left. */
export const nothingLeaked: Story = {
  name: "no table and no log line holds a hidden parameter, a token or a URL's signature",
  play: async ({ account, planted, token, foreignToken }) => {
    const tables = await account.tablesText();
    const logs = await account.logsText();
    ok(
      tables.length > 0 && logs.includes("handled a message"),
      "there is something to look through",
    );
    const secrets = [...planted, token, foreignToken];
    deepEqual(
      secrets.filter((secret) => tables.includes(secret) || logs.includes(secret)),
      [],
    );
    ok(!/[?&]sig=/.test(logs), "a signed URL is in a log");
  },
};

export const securityStories: readonly Story[] = [credentials, otherTenants, hidden];
