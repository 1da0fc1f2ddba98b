/** Uploads by presigned URL. An emulator may not check all that S3 checks. */
import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { present } from "#lib/errors.ts";
import { type AwsTarget, openAwsTarget } from "./aws-emulators.ts";
import { limitMs } from "./limits.ts";

const START_MS_MAX = limitMs(120_000);
const BODY = '{"deploy_stdout": "naïve"}';

let target: AwsTarget | null = null;
let adapter: AwsAdapter | null = null;
beforeAll(async () => {
  target = await openAwsTarget();
  adapter = openAws({ ...target.connection, ...target.place });
}, START_MS_MAX);
afterAll(async () => {
  adapter?.close();
  await target?.close();
}, START_MS_MAX);

const upload = (id: string) => ({
  tenant: "demo",
  id,
  bytes: Buffer.byteLength(BODY),
  expiresAt: Date.now() + 900_000,
  sha256: createHash("sha256").update(BODY).digest("base64"),
});

describe("the AWS uploads", () => {
  it("are readable after a PUT to their URL, until they are deleted", async () => {
    const { uploads } = present(adapter, "an adapter");
    const id = randomUUID();
    expect(await uploads.get({ tenant: "demo", id })).toBeNull();
    const { url, headers } = await uploads.open(upload(id));
    const answer = await fetch(url, { method: "PUT", headers, body: BODY });
    await answer.text();
    expect(answer.status).toBe(200);
    expect(await uploads.get({ tenant: "demo", id })).toBe(BODY);
    await uploads.delete({ tenant: "demo", id });
    await uploads.delete({ tenant: "demo", id });
    expect(await uploads.get({ tenant: "demo", id })).toBeNull();
  });

  it("have a URL that signs their length, their hash and its expiry", async () => {
    const { uploads } = present(adapter, "an adapter");
    const one = upload(randomUUID());
    const { url, headers } = await uploads.open(one);
    const query = new URL(url).searchParams;
    expect(query.get("X-Amz-SignedHeaders")?.split(";")).toEqual(
      expect.arrayContaining(["content-length", "host", "x-amz-checksum-sha256"]),
    );
    expect(headers).toEqual({ "x-amz-checksum-sha256": one.sha256 });
    expect(Number(query.get("X-Amz-Expires"))).toBeGreaterThan(890);
    expect(Number(query.get("X-Amz-Expires"))).toBeLessThanOrEqual(900);
    expect([...query.keys()].filter((name) => /crc32/i.test(name))).toEqual([]);
  });
});
