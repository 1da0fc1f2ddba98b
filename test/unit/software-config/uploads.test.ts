import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { present, RequestError } from "#lib/errors.ts";
import { isJsonObject, type JsonObject } from "#lib/json.ts";
import { UPLOAD_BYTES_MAX } from "#lib/ports/uploads.ts";
import { readWholeOutput } from "#lib/software-config/deployments/printed-output.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { look } from "#test/unit/resources/world.ts";
import { type Deployed, deployed, queryOf, signal, signalUrlOf } from "./deployed.ts";

const idOf = (url: string): string => new URL(url).pathname.split("/").at(-1) ?? "";

const wishFor = (body: string): JsonObject => ({
  deploy_status: "IN_PROGRESS",
  deploy_upload_bytes: Buffer.byteLength(body),
  deploy_upload_sha256: createHash("sha256").update(body).digest("base64"),
});

const ask = async ({ at }: Deployed, url: string, wish: JsonObject) => {
  const query = { ...queryOf(url), upload: "1" };
  const request = { method: "POST", query, body: JSON.stringify(wish) };
  return receiveSignal(at.ports, idOf(url), request);
};

const statusOf = (asked: Promise<unknown>): Promise<number> =>
  asked.then(
    () => 200,
    (error: unknown) => {
      if (error instanceof RequestError) return error.status;
      throw error;
    },
  );

const kindsOf = ({ at }: Deployed) => at.softwareConfigs.evidence().map(({ kind }) => kind);

const BODY = JSON.stringify({ deploy_stdout: "x".repeat(2_000_000), deploy_status_code: 0 });

describe("a result that is sent ahead", () => {
  it("is taken as if it had come itself", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const { effect, document } = await ask(site, url, wishFor(BODY));
    expect(effect).toBe("upload opened");
    const place = isJsonObject(document) ? document : {};
    expect(place).toMatchObject({ upload_id: idOf(url), upload_url: expect.any(String) });
    expect(site.at.uploads.put(idOf(url), BODY)).toBe(true);
    const named = { deploy_upload: idOf(url) };
    expect(await signal(site, named, url)).toMatchObject({ effect: "result stored" });
    const { at, row, request, handle } = site;
    expect(await look(at, row, request, handle)).toMatchObject({ state: "finished" });
    const record = present(at.softwareConfigs.deployments()[0], "deployment");
    const whole = await readWholeOutput(at.ports, record, "deploy_stdout");
    expect(whole).toBe("x".repeat(2_000_000));
    expect(at.softwareConfigs.evidence()).toEqual([]);
  });

  it("may be signalled again, before the result is recorded and after", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    await ask(site, url, wishFor(BODY));
    site.at.uploads.put(idOf(url), BODY);
    const named = { deploy_upload: idOf(url) };
    const repeat = async () => {
      expect(await signal(site, named, url)).toMatchObject({ effect: "none" });
      expect(kindsOf(site)).toEqual(["duplicate"]);
    };
    await signal(site, named, url);
    await repeat();
    site.at.uploads.expire();
    await repeat();
    await look(site.at, site.row, site.request, site.handle);
    await repeat();
  });

  it("has no place where nothing waits for it, nor with a bad signature", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    const forged = url.replace(/sig=[^&]*/, "sig=AAAA");
    expect(await statusOf(ask(site, forged, wishFor(BODY)))).toBe(403);
    await signal(site, {}, url);
    await look(site.at, site.row, site.request, site.handle);
    expect(await statusOf(ask(site, url, wishFor(BODY)))).toBe(409);
  });

  it.each([
    ["too many bytes", { deploy_upload_bytes: UPLOAD_BYTES_MAX + 1 }, 413, "too_large"],
    ["no bytes", { deploy_upload_bytes: 0 }, 400, "not_valid"],
    ["no hash", { deploy_upload_sha256: "" }, 400, "not_valid"],
  ])("is refused a place for %s", async (_, changes, status, kind) => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    expect(await statusOf(ask(site, url, { ...wishFor(BODY), ...changes }))).toBe(status);
    expect(kindsOf(site)).toEqual([kind]);
  });

  it("is nobody's but its sender's, and must be there", async () => {
    const site = await deployed();
    const url = await signalUrlOf(site);
    await ask(site, url, wishFor(BODY));
    expect(await statusOf(signal(site, { deploy_upload: idOf(url) }, url))).toBe(400);
    const others = "11111111-2222-8333-a444-555555555555";
    expect(await statusOf(signal(site, { deploy_upload: others }, url))).toBe(400);
    expect(kindsOf(site)).toEqual(["not_valid"]);
    expect(await signal(site, {}, url)).toMatchObject({ effect: "result stored" });
  });
});
