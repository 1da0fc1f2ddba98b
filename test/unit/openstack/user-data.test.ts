import { describe, expect, it } from "vitest";
import { userDataOf } from "#providers/openstack/nova/user-data.ts";
import { callOf } from "../../contract/provider-call.ts";
import { startDoubleStage } from "../../openstack/double-stage.ts";
import { metadataUrlIn } from "../../openstack/machines.ts";
import { typeAt } from "../../openstack/provider-play.ts";

const SCRIPT = "#!/bin/sh\necho héllo\n";
const URL_TEXT = "http://10.0.0.1:8005/v1/agent/metadata/1";
const INIT_DATA = JSON.stringify({
  "os-collect-config": { request: { metadata_url: URL_TEXT } },
});

const partsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/filename="([^"]+)"\n\n([A-Za-z0-9+/=\n]*)\n--/g)].map(
      ([, name = "", body = ""]) => [name, Buffer.from(body, "base64").toString("utf8")],
    ),
  );

describe("user data", () => {
  it("is unchanged without metadata", () => {
    expect(userDataOf({ userData: SCRIPT, cfnInitData: null })).toBe(SCRIPT);
  });

  it("has the metadata and a handler for it beside the template's own text", () => {
    const whole = userDataOf({ userData: SCRIPT, cfnInitData: INIT_DATA });
    const parts = partsOf(whole);
    expect(Object.keys(parts)).toEqual(["part-handler.py", "cfn-init-data", "user-data"]);
    expect(parts["cfn-init-data"]).toBe(INIT_DATA);
    expect(parts["user-data"]).toBe(SCRIPT);
    expect(metadataUrlIn(whole)).toBe(URL_TEXT);
  });

  it("has no part for an empty text, and takes an archive as it is", () => {
    expect(Object.keys(partsOf(userDataOf({ userData: "", cfnInitData: INIT_DATA })))).toHaveLength(
      2,
    );
    const archive = 'Content-Type: multipart/mixed; boundary="b"\n\n--b\n\nx\n--b--\n';
    expect(userDataOf({ userData: archive, cfnInitData: INIT_DATA })).toContain(`\n${archive}`);
  });

  it("is the same for the same input", () => {
    const given = { userData: SCRIPT, cfnInitData: INIT_DATA };
    expect(userDataOf(given)).toBe(userDataOf(given));
  });
});

describe("user data that is too large for Nova", () => {
  it("is refused before Nova shows it in an error", async () => {
    const stage = await startDoubleStage();
    const userData = `#!/bin/sh\n# ${"é".repeat(25_000)}\n`;
    const properties = { image: "cirros", flavor: "m1.tiny", user_data: userData };
    const answer = await typeAt(stage, "OS::Nova::Server").create(callOf("large", { properties }));
    await stage.double.stop();
    expect(answer).toEqual({
      state: "failed",
      reason:
        "OpenStack: user_data has 50013 bytes with what its format adds, and Nova takes 49149",
    });
  });
});
