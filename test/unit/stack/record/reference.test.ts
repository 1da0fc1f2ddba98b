/** Texts of rows that repeat their template are sealed against its record, and opened with it. */
import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { type Json, parseJson } from "#lib/json.ts";
import { sealedAgainst } from "#lib/model/sealed-text.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  AGAINST_CHARS_MIN,
  openProperties,
  openReference,
  resealTexts,
  sealProperties,
  sealReference,
} from "#lib/stack/record/reference.ts";
import { deleteTemplate, saveTemplate } from "#lib/stack/record/template-record.ts";
import { openWorld } from "../../api/api-world.ts";

const OWNER = { tenant: "demo", stackId: "stack-1", id: "row-1", name: "web" };
const LONG = "x".repeat(AGAINST_CHARS_MIN);

let ports: Ports;
beforeEach(async () => {
  ports = openWorld().ports;
  await save("t1", LONG);
});

const save = (id: string, value: Json, into = ports, tenant = OWNER.tenant): Promise<void> =>
  saveTemplate(into, tenant, OWNER.stackId, id, {
    template: {
      heat_template_version: "2018-08-31",
      resources: { web: { type: "Hearth::Test::Scenario", properties: { value } } },
    },
    files: {},
    environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: {} },
  });

/** Like another worker, whose caches are empty. */
const elsewhere = (): Ports => ({ ...ports, blobs: { ...ports.blobs } });

const seal = (value: Json, id: string | null = "t1", owner = OWNER): Promise<string> =>
  sealProperties(ports, owner, { value }, id);

it("names the record of a long text, and seals a short one alone", async () => {
  expect(sealedAgainst(await seal(LONG))?.templateId).toBe("t1");
  expect(sealedAgainst(await seal("short"))).toBeNull();
});

it("seals a text alone that no record defines", async () => {
  expect(sealedAgainst(await seal(LONG, null))).toBeNull();
  expect(sealedAgainst(await seal(LONG, "empty"))).toBeNull();
  expect(sealedAgainst(await seal(LONG, "t1", { ...OWNER, name: "absent" }))).toBeNull();
});

it.each(["1.0", "-0.0", "1e22", "12345678901234567890", '{"b":1,"a":2}', '"\\ud800"'])(
  "is opened by another worker, whatever the definition has: %s",
  async (text) => {
    const value = [LONG, parseJson(text)];
    await save("t2", value);
    const sealed = await seal(LONG, "t2");
    expect(sealedAgainst(sealed)?.templateId).toBe("t2");
    expect(await openProperties(elsewhere(), OWNER, sealed)).toEqual({ value: LONG });
  },
);

it("is not opened without its record", async () => {
  const sealed = await seal(LONG);
  await deleteTemplate(ports, OWNER.stackId, "t1");
  await expect(openProperties(ports, OWNER, sealed)).rejects.toThrow();
});

it("moves the texts of a row to another record, and leaves those that name none", async () => {
  await save("t2", `${LONG} and more`);
  const reference = await sealReference(ports, OWNER, { refId: LONG, attributes: {} }, "t1");
  const row = { ...OWNER, properties: await seal("short"), reference };
  const moved = await resealTexts(ports, row, "t2");
  expect(moved.properties).toBe(row.properties);
  expect(sealedAgainst(moved.reference ?? "")?.templateId).toBe("t2");
  await deleteTemplate(ports, OWNER.stackId, "t1");
  expect((await openReference(elsewhere(), { ...OWNER, ...moved })).refId).toBe(LONG);
  expect(await resealTexts(ports, { ...OWNER, ...moved }, "t2")).toEqual(moved);
});

it("opens no text in another field or row, and gives the new format to a text of the former one", async () => {
  const sealedBy = { ...ports, cipher: aesCipher(new Uint8Array(32).fill(7)) };
  const former = readFileSync(
    new URL("../../../contract/former-records/sealed.json", import.meta.url),
    "utf8",
  );
  const { text, compressed } = z
    .object({ text: z.string(), compressed: z.string() })
    .parse(JSON.parse(former));
  const owner = { ...OWNER, tenant: "acme" };
  await save("t1", LONG, sealedBy, owner.tenant);
  const row = { ...owner, properties: compressed, reference: null };
  expect(await openProperties(sealedBy, row, compressed)).toEqual(JSON.parse(text));
  const { properties } = await resealTexts(sealedBy, row, "t1");
  expect(properties).toMatch(/^against\.t1\.v2\./);
  expect(await openProperties(sealedBy, row, properties ?? "")).toEqual(JSON.parse(text));
  await expect(openReference(sealedBy, { ...row, reference: properties })).rejects.toThrow();
  await expect(
    openProperties(sealedBy, { ...row, id: "row-2" }, properties ?? ""),
  ).rejects.toThrow();
});
