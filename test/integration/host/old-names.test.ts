/**
 * A data folder of Hearth 0.1.0 (test/upgrade/old-names.json, taken at commit 528294b), which
 * stored the old name `sequence` as it was written. This version reads it as `character_classes`.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Host, startHost } from "#host/host.ts";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { FolderDocument, writeFolder } from "../../upgrade/folder-document.ts";
import { readOutput } from "../../upgrade/look.ts";
import { newestEvent, send, waitForStack } from "./host-client.ts";

const Former = FolderDocument.extend({ answered: z.record(z.string(), z.string()) });
const FOLDER = new URL("../../upgrade/old-names.json", import.meta.url);
const former = Former.parse(JSON.parse(readFileSync(FOLDER, "utf8")));

const DIGITS = { sequence: "digits" };

let folder = "";
let host: Host | null = null;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-old-names-"));
  writeFolder(folder, former);
  host = await startHost({ port: 0, data: folder });
});
afterAll(async () => {
  await host?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const url = (): string => present(host, "the host").url;

const template = (properties: Readonly<Record<string, JsonObject>>): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: Object.fromEntries(
    Object.entries(properties).map(([name, own]) => [
      name,
      { type: "OS::Heat::RandomString", properties: { length: 12, ...own } },
    ]),
  ),
  outputs: Object.fromEntries(
    Object.keys(properties).map((name) => [name, { value: { get_attr: [name, "value"] } }]),
  ),
});

const update = async (properties: Readonly<Record<string, JsonObject>>): Promise<string> => {
  const before = await newestEvent(url(), "words");
  const body = { template: template(properties) };
  expect((await send(url(), "PUT", "/v1/demo/stacks/words", body)).status).toBe(202);
  return waitForStack(url(), "words", before);
};

describe("a string that was made with the old name of a property", () => {
  it("is of a stack as its writer made it", async () => {
    expect(Object.keys(former.answered)).toEqual(["plain", "changed"]);
    for (const [name, word] of Object.entries(former.answered)) {
      expect(await readOutput(url(), "words", name), name).toBe(word);
    }
  });

  it("stays in an update, until its definition asks for other characters", async () => {
    const { plain, changed } = former.answered;
    expect(await update({ plain: DIGITS, changed: DIGITS, more: {} })).toBe("UPDATE_COMPLETE");
    expect(await readOutput(url(), "words", "plain")).toBe(plain);
    expect(await readOutput(url(), "words", "changed")).toBe(changed);
    const underNewName = { character_classes: [{ class: "digits", min: 1 }] };
    expect(await update({ plain: underNewName, changed: { sequence: "lowercase" } })).toBe(
      "UPDATE_COMPLETE",
    );
    expect(await readOutput(url(), "words", "plain")).toBe(plain);
    expect(await readOutput(url(), "words", "changed")).toMatch(/^[a-z]{12}$/);
  });
});
