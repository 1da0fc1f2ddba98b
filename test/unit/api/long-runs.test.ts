/**
 * A slow pattern would read these texts for minutes, and nothing could interrupt it. Each test
 * shows that its search ends at all.
 */
import { describe, expect, it } from "vitest";
import { answerIdentity } from "#host/identity/answer-identity.ts";
import { grantsForAnybody } from "#host/identity/grants.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import type { JsonObject } from "#lib/json.ts";
import { openWorld, PUBLIC_URL, textAt } from "./api-world.ts";

const YAQL_CHARS = 60_000;
const PART_CHARS = 400_000;
const PATH_CHARS = 1_000_000;

const yaqlOutputs = (expressions: readonly string[]): JsonObject => ({
  heat_template_version: "2017-02-24",
  outputs: Object.fromEntries(
    expressions.map((expression, at) => [
      `o${at}`,
      { value: { yaql: { expression, data: { one: 1 } } } },
    ]),
  ),
});

const multipart = (part: JsonObject): JsonObject => ({
  heat_template_version: "2017-02-24",
  resources: {
    message: { type: "OS::Heat::MultipartMime", properties: { parts: [part] } },
  },
});

const statusOf = async (template: JsonObject): Promise<string> => {
  const world = openWorld();
  const answer = await world.send("POST", "/stacks", { stack_name: "app", template });
  if (answer.status !== 201) return String(answer.status);
  await world.settle();
  const path = `/stacks/app/${textAt(answer.body, "stack", "id")}`;
  return textAt((await world.send("GET", path)).body, "stack", "stack_status");
};

describe("a template with one long run of characters", () => {
  it("is refused in its time if the run is a number of yaql", async () => {
    const long = `${"1".repeat(YAQL_CHARS)}a`;
    expect(await statusOf(yaqlOutputs([long, long, long, long]))).toBe("400");
  });

  it("is read in its time if the run ends a function's name in yaql", async () => {
    const long = `f${"_".repeat(YAQL_CHARS)}b_()`;
    expect(await statusOf(yaqlOutputs([long, long, long, long]))).toBe("CREATE_COMPLETE");
  });

  it("is made in its time if the run stands in a header of MIME", async () => {
    const config = `x:${" ".repeat(PART_CHARS)}\u2028`;
    expect(await statusOf(multipart({ config, type: "multipart" }))).toBe("CREATE_COMPLETE");
  });

  it("is made in its time if the run stands in a file name", async () => {
    const filename = `a${".".repeat(PART_CHARS)}/`;
    expect(await statusOf(multipart({ config: "text", filename }))).toBe("CREATE_COMPLETE");
  });
});

describe("a stranger's path with one long run of slashes", () => {
  it("is answered in its time by what stands for Keystone", async () => {
    const request = {
      method: "GET",
      path: `/v3${"/".repeat(PATH_CHARS)}x`,
      headers: {},
      body: null,
    };
    const open = { clock: memoryClock(), publicUrl: PUBLIC_URL, findGrant: grantsForAnybody };
    expect(await answerIdentity(open, request)).toMatchObject({ status: 404 });
  });
});
