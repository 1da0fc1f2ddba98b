import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { UPLOAD_BYTES_MAX } from "#lib/ports/ports.ts";
import { readWholeOutput } from "#lib/software-config/deployments/printed-output.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import {
  type Deployed,
  deployed,
  idIn,
  queryOf,
  recordOf,
  signal,
  signalUrlOf,
  statusOf,
  visit,
} from "./deployed.ts";

const uploadRequest = (body: string): JsonObject => ({
  deploy_status: "IN_PROGRESS",
  deploy_upload_bytes: Buffer.byteLength(body),
  deploy_upload_sha256: createHash("sha256").update(body).digest("base64"),
});

const openUpload = async ({ at }: Deployed, url: string, details: JsonObject) => {
  const query = { ...queryOf(url), upload: "1" };
  const request = { method: "POST", query, body: JSON.stringify(details) };
  return receiveSignal(at.ports, idIn(url), request);
};

const kindsOf = ({ at }: Deployed) => at.softwareConfigs.evidence().map(({ kind }) => kind);

const BODY = JSON.stringify({ deploy_stdout: "x".repeat(2_000_000), deploy_status_code: 0 });

describe("an uploaded result", () => {
  it("counts as if it were the signal's body", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const { effect, document } = await openUpload(site, url, uploadRequest(BODY));
    expect(effect).toBe("upload opened");
    const target = isJsonObject(document) ? document : {};
    expect(target).toMatchObject({ upload_id: idIn(url), upload_url: expect.any(String) });
    expect(site.at.uploads.put(idIn(url), BODY)).toBe(true);
    const reference = { deploy_upload: idIn(url) };
    expect(await signal(site, reference, url)).toMatchObject({ effect: "result stored" });
    const { at } = site;
    expect(await visit(site)).toMatchObject({ state: "finished" });
    expect(await at.uploads.get({ tenant: "demo", id: idIn(url) })).toBeNull();
    const record = recordOf(at);
    const whole = await readWholeOutput(at.ports, record, "deploy_stdout");
    expect(whole).toBe("x".repeat(2_000_000));
    expect(at.softwareConfigs.evidence()).toEqual([]);
  });

  it("may be signalled again, before and after the result is recorded", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    await openUpload(site, url, uploadRequest(BODY));
    site.at.uploads.put(idIn(url), BODY);
    const reference = { deploy_upload: idIn(url) };
    const repeat = async () => {
      expect(await signal(site, reference, url)).toMatchObject({ effect: "none" });
      expect(kindsOf(site)).toEqual(["duplicate"]);
    };
    await signal(site, reference, url);
    await repeat();
    site.at.uploads.expire();
    await repeat();
    await visit(site);
    await repeat();
  });

  it("is refused if nothing waits for it, or with a bad signature", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const forged = url.replace(/sig=[^&]*/, "sig=AAAA");
    expect(await statusOf(openUpload(site, forged, uploadRequest(BODY)))).toBe(403);
    await signal(site, {}, url);
    await visit(site);
    expect(await statusOf(openUpload(site, url, uploadRequest(BODY)))).toBe(409);
  });

  it.each([
    ["too many bytes", { deploy_upload_bytes: UPLOAD_BYTES_MAX + 1 }, 413, "too_large"],
    ["no bytes", { deploy_upload_bytes: 0 }, 400, "not_valid"],
    ["no hash", { deploy_upload_sha256: "" }, 400, "not_valid"],
  ])("is refused for %s", async (_, changes, status, kind) => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    expect(await statusOf(openUpload(site, url, { ...uploadRequest(BODY), ...changes }))).toBe(
      status,
    );
    expect(kindsOf(site)).toEqual([kind]);
  });

  it("belongs to one signal and must exist", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    await openUpload(site, url, uploadRequest(BODY));
    expect(await statusOf(signal(site, { deploy_upload: idIn(url) }, url))).toBe(400);
    const others = "11111111-2222-8333-a444-555555555555";
    expect(await statusOf(signal(site, { deploy_upload: others }, url))).toBe(400);
    expect(kindsOf(site)).toEqual(["not_valid"]);
    expect(await signal(site, {}, url)).toMatchObject({ effect: "result stored" });
  });
});
