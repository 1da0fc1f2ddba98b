import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { faultOf, strangersQueries, strangersRequests } from "./route-cases.ts";
import { makeTenantStack, type SendAs, type TenantStack } from "./tenant-stacks.ts";

let host: Host;
let alpha: TenantStack;
let beta: TenantStack;

const send: SendAs = async (_, method, path, body) => {
  const answer = await fetch(host.url + path, {
    method,
    redirect: "manual",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const headers = JSON.stringify([...answer.headers]);
  return { status: answer.status, headers, body: await answer.text() };
};

const settle = async (path: string): Promise<void> => {
  await expect
    .poll(async () => (await send("", "GET", `${path}/events`)).body, { timeout: 20_000 })
    .toMatch(/"resource_name":"\w+-stack".{1,400}"CREATE_COMPLETE"/s);
};

beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
  alpha = await makeTenantStack(send, "alpha", "alpha", settle);
  beta = await makeTenantStack(send, "beta", "beta", settle);
});
afterEach(() => host.stop());

describe("another project on the host", () => {
  it("is invisible from one's own project, with any ids", async () => {
    const path = `/v1/alpha/stacks/${alpha.ids.stack_name}/${alpha.ids.stack_id}`;
    const owners = async () => (await send("alpha", "GET", path)).body;
    const before = await owners();
    const asked = [
      ...strangersRequests(beta.ids, alpha.ids).filter(({ expected }) => expected !== "forbidden"),
      ...strangersQueries(beta.ids, alpha.ids),
    ];
    const faults: (string | null)[] = [];
    for (const request of asked) {
      const { status, headers, body } = await send(
        "beta",
        request.method,
        request.path,
        request.body,
      );
      faults.push(faultOf(request, { status, text: headers + body }, alpha.secrets));
    }
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
    expect(await owners()).toBe(before);
  });
});
