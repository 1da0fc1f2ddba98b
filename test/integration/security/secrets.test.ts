/**
 * Searches what a host leaves behind, in its log and its data folder, byte for byte for secrets.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { aesCipher } from "#lib/adapters/node/cipher.ts";
import { KEYS_FILE, readKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import { present } from "#lib/errors.ts";
import type { SealedPlace } from "#lib/ports/ports.ts";
import { sealedPlace } from "#lib/stack/stored-places.ts";
import { HEARTH } from "../../hearth-program.ts";
import { at, send, waitForStack } from "../host/host-client.ts";
import {
  attempt,
  readSite,
  SOFTWARE_TEMPLATE,
  type SoftwareSite,
  withQuery,
} from "./software-site.ts";

let folder = "";
let child: ChildProcess;
let printed = "";

const startServe = async (): Promise<string> => {
  child = spawn(process.execPath, [HEARTH, "serve", "--port", "0", "--data", folder], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HEARTH_LOG: "on" },
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  await expect.poll(() => printed, { timeout: 30_000 }).toMatch(/listening on http:\S+/);
  return present(/listening on (http:\S+)/.exec(printed)?.[1], "the address");
};

const stopServe = async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
};

beforeEach(() => {
  printed = "";
  folder = mkdtempSync(join(tmpdir(), "hearth-secrets-"));
});
afterEach(async () => {
  await stopServe();
  rmSync(folder, { recursive: true });
});

/**
 * Everything but the keys themselves. Deleted records leave their bytes in the file, so messages
 * and blobs are searched too.
 */
const storedBytes = (): Buffer =>
  Buffer.concat(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== KEYS_FILE)
      .map((entry) => readFileSync(join(folder, entry.name))),
  );

const metadataUrlOf = async (url: string): Promise<string> => {
  const read = async () => {
    const { body } = await send(url, "GET", "/v1/demo/stacks/app");
    return at(body, "stack", "outputs", 0, "output_value", "request", "metadata_url");
  };
  await expect.poll(read, { timeout: 20_000 }).toMatch(/^http/);
  return String(await read());
};

const siteOf = async (url: string): Promise<SoftwareSite> => {
  const metadataUrl = await metadataUrlOf(url);
  await expect.poll(() => readSite(metadataUrl), { timeout: 20_000 }).not.toBeNull();
  return present(await readSite(metadataUrl), "the deployment");
};

const SEALED = {
  blobs: ["blobs"],
  software_configs: ["configs.content"],
  delivery_sightings: ["deliveries.outputTail"],
  deployments: ["deployments.derivedConfig", "deployments.inputValues", "deployments.outputValues"],
  resources: ["resources.properties", "resources.reference"],
  servers: ["servers.metadata"],
} as const;

const record = z.record(z.string(), z.unknown());
const bodyOf = ({ key, body }: { readonly [column: string]: unknown }) =>
  key === undefined ? record.parse(JSON.parse(String(body))) : { id: key, blobs: body };

interface SealedText {
  readonly place: SealedPlace;
  readonly text: string;
}

const sealedTexts = (stackId: string): readonly SealedText[] => {
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  const found = Object.entries(SEALED).flatMap(([table, fields]) =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .flatMap((row) => {
        const body = bodyOf(row);
        const id = String(table === "delivery_sightings" ? body["derivedConfigId"] : body["id"]);
        return fields.flatMap((field) => {
          const text = body[field.slice(field.indexOf(".") + 1)];
          const place = sealedPlace({ tenant: "demo", stackId }, field, id);
          return typeof text === "string" ? [{ place, text }] : [];
        });
      }),
  );
  database.close();
  return found;
};

const sigOf = (url: string): string => new URL(url).searchParams.get("sig") ?? "";

/** An agent uploads a result that is too large for a request in this way. */
const upload = async (signalUrl: string, body: string): Promise<void> => {
  const deploy_upload_sha256 = createHash("sha256").update(body).digest("base64");
  const request = { deploy_upload_bytes: Buffer.byteLength(body), deploy_upload_sha256 };
  const asked = await fetch(withQuery(signalUrl, "upload", "1"), {
    method: "POST",
    body: JSON.stringify({ deploy_status: "IN_PROGRESS", ...request }),
  });
  const { upload_url, upload_id } = z
    .object({ upload_url: z.string(), upload_id: z.string() })
    .parse(await asked.json());
  expect((await fetch(upload_url, { method: "PUT", body })).status).toBe(200);
  const taken = { method: "POST", body: JSON.stringify({ deploy_upload: upload_id }) };
  expect((await fetch(signalUrl, taken)).status).toBe(200);
};

const uploadRows = (): unknown => {
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  const row = database.prepare("SELECT count(*) AS rows FROM uploads").get();
  database.close();
  return row?.["rows"];
};

describe("a host", () => {
  it("S25: writes no secret to its log, and to its disk only sealed ones", async () => {
    const url = await startServe();
    const word = "planted-hidden-parameter";
    const body = { stack_name: "app", template: SOFTWARE_TEMPLATE, parameters: { word } };
    await send(url, "POST", "/v1/demo/stacks", body);
    const site = await siteOf(url);

    const forged = withQuery(site.signalUrl, "sig", "planted-forged-signature");
    const escaped = site.signalUrl.replace("?", "%3F");
    const polled = site.metadataUrl.replace("?", "%3F");
    const put = (to: string, text: string) =>
      attempt({ name: "", url: to, method: "PUT", body: text, status: 0, kind: "" });
    expect(await put(forged, '{"deploy_stdout":"planted-refused-body"}')).toBe(403);
    expect(await put(escaped, "{}")).toBe(403);
    expect((await fetch(polled)).status).toBe(403);
    expect(await put(site.signalUrl, "planted-no-json")).toBe(400);
    expect(await put(`${url}/v1/demo/stacks/x/y`, "{planted-no-json")).toBe(400);
    const deploy_stdout = `planted-stdout${"x".repeat(1_000_000)}`;
    await upload(site.signalUrl, JSON.stringify({ result: "planted-output", deploy_stdout }));
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    expect(await put(site.signalUrl, '{"result":"planted-second"}')).toBe(200);
    await stopServe();

    expect(uploadRows()).toBe(0);
    expect(printed).toContain("received a signal");
    expect(printed).toContain("refused a poll");
    expect(printed).toContain("handled a message");
    const stored = storedBytes();
    expect(stored.includes("bad_signature")).toBe(true);
    expect(stored.includes(site.serverId)).toBe(true);
    for (const secret of ["planted-", sigOf(site.signalUrl), sigOf(site.metadataUrl), "sig="]) {
      expect(printed).not.toContain(secret);
      expect(stored.includes(secret), secret).toBe(false);
    }
  });

  it("leaves texts that open in the field of the record that has them, and in no other", async () => {
    const url = await startServe();
    await send(url, "POST", "/v1/demo/stacks", { stack_name: "app", template: SOFTWARE_TEMPLATE });
    const site = await siteOf(url);
    const put = (body: string) => fetch(site.signalUrl, { method: "PUT", body });
    expect((await put('{"deploy_status":"IN_PROGRESS","deploy_stdout":"on"}')).status).toBe(200);
    expect((await put(JSON.stringify({ result: "r" }))).status).toBe(200);
    expect(await waitForStack(url, "app")).toBe("CREATE_COMPLETE");
    const { body } = await send(url, "GET", "/v1/demo/stacks/app");
    await stopServe();

    const cipher = aesCipher(present(readKeys(folder), "the keys").encryption);
    const sealed = sealedTexts(String(at(body, "stack", "id")));
    const kinds = new Set(sealed.map(({ place }) => place.field.split("/")[0]));
    expect([...kinds].toSorted()).toEqual(Object.values(SEALED).flat().toSorted());
    for (const { place, text } of sealed.filter((one) => one.text.startsWith("v2."))) {
      await cipher.open(place, text);
      for (const other of sealed.filter((one) => one.place !== place))
        await expect(cipher.open(other.place, text)).rejects.toThrow("does not open");
    }
  });

  it("keeps of printed text what a reason quotes, and no more, in clear text", async () => {
    const url = await startServe();
    await send(url, "POST", "/v1/demo/stacks", { stack_name: "app", template: SOFTWARE_TEMPLATE });
    const { signalUrl } = await siteOf(url);
    const deploy_stderr = `planted-before${"x".repeat(2_000 - "quoted-end".length)}quoted-end`;
    const printed = { deploy_status_code: 3, deploy_stdout: "planted-stdout", deploy_stderr };
    const answer = await fetch(signalUrl, { method: "PUT", body: JSON.stringify(printed) });
    expect(answer.status).toBe(200);
    expect(await waitForStack(url, "app")).toBe("CREATE_FAILED");
    await stopServe();
    const stored = storedBytes();
    expect(stored.includes("quoted-end")).toBe(true);
    expect(stored.includes("planted-")).toBe(false);
  });
});
