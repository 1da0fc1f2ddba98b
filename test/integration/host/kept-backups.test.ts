import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { makeKeptBackup } from "../../../apps/cli/data-folder/folder-work.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { hearth } from "../cli/hearth-process.ts";
import { send, waitForStack } from "./host-client.ts";

const ANALYZE = "/usr/bin/systemd-analyze";
const PAGE = new URL("../../../docs/service.md", import.meta.url);
const DAY_MS = 86_400_000;

let folder: string;
let data: string;
let to: string;
let host: Host;
beforeEach(async () => {
  folder = freshFolder();
  [data, to] = [join(folder, "data"), join(folder, "backups")];
  mkdirSync(to, { mode: 0o700 });
  host = await startHost({ port: 0, data });
});
afterEach(async () => {
  await host.stop();
  removeFolder(folder);
});

const START = Date.parse("2026-11-30T02:00:00.123Z");
const night = (number: number) => makeKeptBackup(data, to, 3, new Date(START + number * DAY_MS));

describe("hearth backup --to FOLDER --keep N", () => {
  it("keeps the newest, leaves other files alone, and each can be restored", async () => {
    const others = ["notes.txt", "hearth-monday.backup", "hearth-20200101T000000Z.backup.md"];
    for (const name of others) writeFileSync(join(to, name), "mine");
    const resources = { one: { type: "OS::Heat::RandomString" } };
    const template = { heat_template_version: "2018-08-31", resources };
    await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template });
    await waitForStack(host.url, "app");
    for (const number of [0, 1, 2]) expect(night(number).removed).toEqual([]);
    const { file, removed } = night(3);
    expect(removed).toEqual([join(to, "hearth-20261130T020000Z.backup")]);
    expect(file).toBe(join(to, "hearth-20261203T020000Z.backup"));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = [1, 2, 3].map((number) => `hearth-2026120${number}T020000Z.backup`);
    expect(readdirSync(to).toSorted()).toEqual([...others, ...kept].toSorted());
    expect(await hearth("", "backup", "--verify", file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        / is whole: the state of 2026-12-03T02:00:00\.123Z, by Hearth /,
      ),
    });
    const restored = join(folder, "restored");
    expect(await hearth("", "restore", file, "--data", restored)).toMatchObject({ code: 0 });
  });

  it("removes none when the new one fails, and what a killed one has left", async () => {
    for (const number of [0, 1, 2]) night(number);
    const left = join(to, "hearth-20261101T020000Z.backup.a1B2c3");
    mkdirSync(left);
    const young = join(to, "hearth-20261203T015900Z.backup.a1B2c3");
    mkdirSync(young);
    utimesSync(left, new Date(START - 30 * DAY_MS), new Date(START - 30 * DAY_MS));
    utimesSync(young, new Date(START + 3 * DAY_MS), new Date(START + 3 * DAY_MS));
    expect(() => night(2)).toThrow("is there already");
    expect(readdirSync(to).filter((name) => name.endsWith(".backup"))).toHaveLength(3);
    night(3);
    expect([existsSync(left), existsSync(young)]).toEqual([false, true]);
    const gone = await hearth(
      "",
      "backup",
      "--to",
      join(folder, "no"),
      "--keep",
      "2",
      "--data",
      data,
    );
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringMatching(/is not a folder/) });
  });

  it("refuses options that do not go together, and a damaged file", async () => {
    const { file } = night(0);
    for (const options of [[], ["--keep", "2"], ["--to", to], [file, "--to", to, "--keep", "2"]]) {
      const { code } = await hearth("", "backup", ...options, "--data", data);
      expect([options, code]).toEqual([options, 2]);
    }
    const bytes = readFileSync(file);
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(await hearth("", "backup", "--verify", file)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is damaged/),
    });
  });
});

describe("the timer of docs/service.md", () => {
  const [service = "", timer = ""] = [
    ...readFileSync(PAGE, "utf8").matchAll(/```ini\n([^`]+)```/g),
  ].map(([, text]) => text ?? "");

  it("runs the command with options that it has", async () => {
    const line = /^ExecStart=\S+ (backup .*)$/m.exec(service)?.[1] ?? "";
    const words = line
      .replace("/var/lib/hearth", data)
      .replace("/var/backups/hearth", to)
      .split(" ");
    expect(await hearth("", ...words)).toMatchObject({ code: 0 });
    expect(readdirSync(to)).toHaveLength(1);
  });

  it.runIf(existsSync(ANALYZE))("is what systemd accepts", () => {
    for (const [name, text] of [
      ["hearth-backup.service", service.replace("/usr/local/bin/hearth", process.execPath)],
      ["hearth-backup.timer", timer],
    ] as const) {
      writeFileSync(join(folder, name), text.replaceAll(/^(User|Group)=hearth$/gm, "$1=root"));
    }
    const units = ["hearth-backup.service", "hearth-backup.timer"].map((name) =>
      join(folder, name),
    );
    const { status, stderr } = spawnSync(ANALYZE, ["verify", ...units], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });
});
