import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tokenHash } from "#functions/authorizer/credential.ts";
import { startHost } from "#host/host.ts";
import { hearth } from "./hearth-process.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-token-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const token = (...args: readonly string[]) => hearth("http://127.0.0.1:1", "token", ...args);
const data = () => ["--data", folder] as const;

describe("hearth token", () => {
  it("makes a token that a running host accepts, lists it, and revokes it at once", async () => {
    const first = await token("create", "--project", "demo", "--expires", "30d", ...data());
    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) });
    const secret = first.stdout.trim();
    const host = await startHost({ port: 0, data: folder, auth: "tokens" });
    const statusOf = async (project: string, text: string) =>
      (await fetch(`${host.url}/v1/${project}/stacks`, { headers: { "X-Auth-Token": text } }))
        .status;
    expect(await statusOf("demo", secret)).toBe(200);

    const bounds = ["--read-only", "--stack", "app", "--json"];
    const second = await token("create", "--project", "other", ...bounds, ...data());
    const made = JSON.parse(second.stdout).token;
    expect(made).toMatchObject({
      project: "other",
      expires_at: null,
      read_only: true,
      stack: "app",
    });
    expect(await statusOf("other", made.token)).toBe(200);
    const headers = { "X-Auth-Token": made.token };
    const purged = await fetch(`${host.url}/v1/other/_purge`, { method: "POST", headers });
    expect([purged.status, await purged.text()]).toEqual([
      403,
      expect.stringContaining("may only read"),
    ]);

    const listed = await token("list", ...data());
    expect(listed.stdout).toMatch(
      /ID +PROJECT +CREATED +EXPIRES +MAY\n\w{12} +demo .* all\n\w{12} +other .* reads of stack app\n/,
    );
    for (const text of [secret, made.token]) expect(listed.stdout).not.toContain(text);
    expect((await token("list", "--project", "other", ...data())).stdout).not.toContain("demo");

    const revoked = await token("revoke", made.id, ...data());
    expect(revoked).toMatchObject({
      code: 0,
      stdout: `Revoked the token ${made.id} of project other.\n`,
    });
    expect(await statusOf("other", made.token)).toBe(401);
    expect((await token("revoke", secret, ...data())).code).toBe(0);
    expect(await statusOf("demo", secret)).toBe(401);
    await host.stop();
  });

  it("stores the hash only", async () => {
    const { stdout } = await token("create", "--project", "demo", ...data());
    const stored = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
    expect(stored.join("")).toContain(tokenHash(stdout.trim()));
    expect(stored.join("")).not.toContain(stdout.trim());
  });

  it("says in a sentence that the database is damaged, as the other commands on a folder do", async () => {
    const file = join(folder, "hearth.db");
    writeFileSync(file, "This is no database. ".repeat(100));
    const made = ["create", "--project", "demo", ...data()];
    for (const args of [made, ["list", ...data()], ["revoke", "abc", ...data()]]) {
      expect(await token(...args)).toEqual({
        code: 1,
        stdout: "",
        stderr: `ERROR: ${file} is damaged. Restore it from a backup, or name an empty folder with --data.\n`,
      });
    }
    const rotated = await hearth("http://127.0.0.1:1", "keys", "rotate", ...data());
    expect([rotated.code, rotated.stderr]).toEqual([
      1,
      `ERROR: ${file} is damaged. Restore it from a backup, or name an empty folder with --data.\n`,
    ]);
  });

  it("says what is wrong with its options, and makes nothing", async () => {
    const wrong = [
      [2, "--project is missing", ["create", ...data()]],
      [2, "--expires is a number", ["create", "--project", "a", "--expires", "soon", ...data()]],
      [2, "at most 3650d", ["create", "--project", "a", "--expires", "3651d", ...data()]],
      [1, "--project: letters", ["create", "--project", "a/b", ...data()]],
      [1, "There is no data of Hearth in", ["list", ...data()]],
      [1, "There is no data of Hearth in", ["revoke", "abc", ...data()]],
    ] as const;
    for (const [code, text, args] of wrong) {
      expect(await token(...args)).toEqual({
        code,
        stdout: "",
        stderr: expect.stringMatching(new RegExp(`^ERROR: .*${text}.*\\n$`)),
      });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it("takes no empty folder name, as every command on a data folder", async () => {
    const commands = [["token", "list"], ["keys", "rotate"], ["backup", "file"], ["serve"]];
    for (const words of commands) {
      const { code, stderr } = await hearth("http://127.0.0.1:1", ...words, "--data", "");
      expect([words, code, stderr]).toEqual([words, 2, "ERROR: --data is empty\n"]);
    }
  });
});
