import { beforeEach, expect, it } from "vitest";
import { type JsonObject, mapOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  type LoadedTemplate,
  loadTemplate,
  saveTemplate,
} from "#lib/stack/record/template-record.ts";
import { openWorld } from "../../api/api-world.ts";

const MIB = 1_024 * 1_024;
const EMPTY_ENVIRONMENT = { parameters: {}, parameterDefaults: {}, resourceRegistry: {} };

let ports: Ports;
let reads: number;
beforeEach(() => {
  const opened = openWorld().ports;
  reads = 0;
  const get = (key: string): Promise<string | null> => {
    reads += 1;
    return opened.blobs.get(key);
  };
  ports = { ...opened, blobs: { ...opened.blobs, get } };
});

const save = (id: string, chars: number): Promise<void> =>
  saveTemplate(ports, "demo", "stack-1", id, {
    template: { heat_template_version: "2018-08-31" },
    files: { long: "x".repeat(chars) },
    environment: EMPTY_ENVIRONMENT,
  });

const PARTS = ["same", "changed", "ordered", "new", "2", "1"];

const saveParts = (id: string, value: string, names: readonly string[]): Promise<void> =>
  saveTemplate(ports, "demo", "stack-1", id, {
    template: {
      heat_template_version: "2018-08-31",
      resources: mapOf(
        names.map((name): [string, JsonObject] => [
          name,
          {
            type: "OS::Heat::TestResource",
            properties: { value: name === "changed" ? value : "x" },
            depends_on: name === "ordered" && value === "after" ? ["same"] : [],
          },
        ]),
      ),
    },
    files: { long: "x".repeat(MIB) },
    environment: EMPTY_ENVIRONMENT,
  });

const load = (id: string): Promise<LoadedTemplate> => loadTemplate(ports, "demo", "stack-1", id);

/** Like another worker, whose caches are empty. */
const elsewhere = (): Ports => ({ ...ports, blobs: { ...ports.blobs } });

it("keeps a record that it saves", async () => {
  await save("short", 1);
  expect((await load("short")).source.files).toEqual({ long: "x" });
  expect(reads).toBe(0);
});

it("does not keep a long one, because the request still has its own template", async () => {
  await save("long", MIB);
  expect((await load("long")).source.files["long"]?.length).toBe(MIB);
  expect(reads).toBe(1);
  await load("long");
  expect(reads).toBe(1);
});

it("parses a record once for all visits that need it at the same time", async () => {
  await save("long", MIB);
  const [one, other] = await Promise.all([load("long"), load("long")]);
  expect(other).toBe(one);
});

it("shares what a long record has in common with the one before it", async () => {
  await saveParts(
    "t1",
    "before",
    PARTS.filter((name) => name !== "new"),
  );
  await saveParts("t2", "after", PARTS);
  const alone = await loadTemplate(elsewhere(), "demo", "stack-1", "t2");
  const before = await load("t1");
  const after = await load("t2");
  expect(after).toEqual(alone);
  expect([...after.template.resources.keys()]).toEqual([...alone.template.resources.keys()]);
  expect(JSON.stringify(after.source)).toBe(JSON.stringify(alone.source));
  const shared = [...after.template.resources].filter(
    ([name, definition]) => before.template.resources.get(name) === definition,
  );
  expect(shared.map(([name]) => name).sort()).toEqual(["1", "2", "same"]);
});

it("shares what a long record has in common with the one before the last", async () => {
  for (const [id, value] of [
    ["t1", "before"],
    ["t2", "between"],
    ["t3", "before"],
  ] as const)
    await saveParts(id, value, PARTS);
  const [before] = [await load("t1"), await load("t2")];
  const back = await load("t3");
  expect(back.source.template).toBe(before.source.template);
  expect(back.template).toBe(before.template);
});
