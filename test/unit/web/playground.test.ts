import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type Client, openClient, stackPath } from "#client/client.ts";
import { CreatedAnswer } from "#client/wire.ts";
import { openPageApi } from "../../../apps/console/playground/page-api.ts";
import { PAGE_URL } from "../../../apps/console/playground/page-engine.ts";

const START = Date.UTC(2026, 0, 1);

const thing = (properties: object) => ({ type: "Hearth::Test::Scenario", properties });
const templateOf = (resources: object) => ({ heat_template_version: "2018-08-31", resources });
const pair = (size: string) => ({
  a: thing({ size }),
  b: thing({ of: { get_resource: "a" } }),
});

const openPage = () => {
  const errors: unknown[] = [];
  const fetch = openPageApi(
    () => START,
    (error) => errors.push(error),
  );
  const client = openClient({ endpoint: PAGE_URL, project: "p", fetch });
  const dev = async (route: string, body?: object): Promise<unknown> => {
    const method = body === undefined ? "GET" : "POST";
    const response = await fetch(`${PAGE_URL}/_dev/${route}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? null : response.json();
  };
  return { errors, fetch, client, dev };
};

const create = async (client: Client, resources: object) => {
  const body = { stack_name: "app", template: templateOf(resources) };
  const { stack } = await client.request("POST", "/stacks", CreatedAnswer, body);
  return { stack_name: "app", id: stack.id };
};

const statusOf = async (client: Client): Promise<string> =>
  (await client.findStack("app")).stack_status;

const Visits = z.object({
  waiting: z.array(z.object({ name: z.string().nullable(), receives: z.number() })),
});

describe("the engine in a page", () => {
  it("moves only when it is stepped, and converges", async () => {
    const { client, dev, errors } = openPage();
    await create(client, pair("1"));
    expect(await statusOf(client)).toBe("CREATE_IN_PROGRESS");
    expect(await dev("step", { count: 1 })).toEqual({ delivered: 1, pending: 1 });
    expect(await statusOf(client)).toBe("CREATE_IN_PROGRESS");
    await dev("drain", {});
    expect(await statusOf(client)).toBe("CREATE_COMPLETE");
    expect(errors).toEqual([]);
  });

  it("lets an update overtake another, and a worker die in it", async () => {
    const { client, dev } = openPage();
    const stack = await create(client, pair("1"));
    await dev("drain", {});
    for (const size of ["2", "3"]) {
      const body = { template: templateOf(pair(size)) };
      await client.request("PUT", stackPath(stack), z.unknown(), body);
      await dev("step", { count: 0 });
    }
    await dev("step", { count: 1, fate: "dies" });
    await dev("drain", {});
    expect(await statusOf(client)).toBe("UPDATE_COMPLETE");
    const { attributes } = await client
      .request("GET", `${stackPath(stack)}/resources/a`, z.object({ resource: z.looseObject({}) }))
      .then(({ resource }) => z.looseObject({ attributes: z.looseObject({}) }).parse(resource));
    expect(attributes).toMatchObject({ size: "3" });
  });

  it("keeps the message of a delivery that comes twice", async () => {
    const { client, dev } = openPage();
    await create(client, { a: thing({}) });
    await dev("step", { count: 0 });
    expect(await dev("step", { fate: "twice" })).toMatchObject({ delivered: 1, pending: 1 });
    expect(Visits.parse(await dev("visits")).waiting).toEqual([{ name: "a", receives: 1 }]);
    await dev("drain", {});
    expect(await statusOf(client)).toBe("CREATE_COMPLETE");
  });

  it("writes the events, tells of changes, and begins anew", async () => {
    const { client, dev, fetch } = openPage();
    const stopped = new AbortController();
    const stream = await fetch(`${PAGE_URL}/v1/p/_changes`, { signal: stopped.signal });
    const reader = (stream.body ?? new ReadableStream()).getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toBe('event: open\ndata: {"steps":true}\n\n');
    const stack = await create(client, { a: thing({}) });
    expect(await read()).toBe('event: change\ndata: {"all":true}\n\n');
    await dev("drain", {});
    const events = await client.events(stack, {});
    expect(events.map(({ resource_status }) => resource_status)).toEqual([
      "CREATE_IN_PROGRESS",
      "CREATE_IN_PROGRESS",
      "CREATE_COMPLETE",
      "CREATE_COMPLETE",
    ]);
    stopped.abort();
    await expect(reader.closed).rejects.toThrow();
    expect(await dev("reset", {})).toBeNull();
    await expect(client.findStack("app")).rejects.toThrow("could not be found");
    expect(await dev("nothing")).toMatchObject({ code: 404 });
  });
});
