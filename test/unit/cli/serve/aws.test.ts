import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readMultipart } from "#lib/resources/mime/mime-message.ts";
import { userDataWith } from "#providers/boot/ec2-user-data.ts";
import { USER_DATA_BYTES_MAX } from "#providers/ec2/types/server-refusals.ts";
import { agentProgram } from "../../../../apps/cli/packaged-files.ts";

const BOOT = { stack: "app", server: "web", userData: "", cfnInitData: null, metadataUrl: null };
const bootUserData = userDataWith(agentProgram);
const URL_TEXT = "https://hearth.example/agents/web?signature=1";
const textOf = async (given: Partial<typeof BOOT> | { readonly metadataUrl: string }) =>
  Buffer.from(await bootUserData({ ...BOOT, ...given })).toString();

describe("user data for EC2", () => {
  it("is the user's alone if nothing of Hearth is needed", async () => {
    expect(await textOf({ userData: "#cloud-config\n{}\n" })).toBe("#cloud-config\n{}\n");
  });

  it("starts an agent, and fits", async () => {
    const bytes = await bootUserData({ ...BOOT, metadataUrl: URL_TEXT, cfnInitData: '{"a": 1}' });
    expect(bytes.byteLength).toBeLessThanOrEqual(USER_DATA_BYTES_MAX);
    const text = Buffer.from(bytes).toString();
    expect(text.startsWith("#!/bin/sh\n")).toBe(true);
    expect(text).toContain(URL_TEXT);
    expect(text).toContain(Buffer.from('{"a": 1}').toString("base64"));
  });

  it("has the user's part as a part of its own, with its type", async () => {
    const userData = "#cloud-config\n{}\n";
    const bytes = Buffer.from(await bootUserData({ ...BOOT, metadataUrl: URL_TEXT, userData }));
    const isPacked = bytes[0] === 0x1f;
    const parts = readMultipart((isPacked ? gunzipSync(bytes) : bytes).toString());
    expect(parts.map(({ filename, subtype }) => [filename, subtype])).toEqual([
      ["hearth", "x-shellscript"],
      ["user-data", "cloud-config"],
    ]);
    expect(parts[1]?.text.trim()).toBe(userData.trim());
  });

  it("is packed if it is too large, and the same each time", async () => {
    const userData = `#!/bin/sh\n${"echo hello\n".repeat(4_000)}`;
    const given = { ...BOOT, metadataUrl: URL_TEXT, userData };
    const bytes = await bootUserData(given);
    expect(bytes.byteLength).toBeLessThanOrEqual(USER_DATA_BYTES_MAX);
    expect(Buffer.from(await bootUserData(given)).equals(bytes)).toBe(true);
  });

  it("stays too large if packing does not help, so that the creation can refuse it", async () => {
    const userData = `#!/bin/sh\n: ${randomBytes(USER_DATA_BYTES_MAX).toString("base64")}\n`;
    const bytes = await bootUserData({ ...BOOT, metadataUrl: URL_TEXT, userData });
    expect(bytes.byteLength).toBeGreaterThan(USER_DATA_BYTES_MAX);
  });
});
