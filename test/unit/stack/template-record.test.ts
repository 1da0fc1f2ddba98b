/** Which template records a worker has in memory. */
import { beforeEach, expect, it } from "vitest";
import type { Ports } from "#lib/ports/ports.ts";
import { type LoadedTemplate, loadTemplate, saveTemplate } from "#lib/stack/template-record.ts";
import { openWorld } from "../api/api-world.ts";

const MIB = 1_024 * 1_024;

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
    environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: {} },
  });

const load = (id: string): Promise<LoadedTemplate> => loadTemplate(ports, "demo", "stack-1", id);

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
