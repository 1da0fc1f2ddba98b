import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { logger } from "#functions/logger.ts";
import { rotateHostKeys } from "#host/credentials.ts";
import { startHost } from "#host/host.ts";
import { commitOfClone } from "#host/own-version.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import { refuseOtherFolder, VERSION_FILE } from "#lib/adapters/sqlite/folder/folder-version.ts";
import { KEYS_FILE } from "#lib/adapters/sqlite/folder/keys.ts";
import { FolderRefused } from "#lib/adapters/sqlite/folder/private-files.ts";
import { schemaVersionOf } from "#lib/adapters/sqlite/migrate.ts";
import { DATABASE_FILE, openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { SCHEMA } from "#lib/adapters/sqlite/schema.ts";
import { makeBackup } from "../../apps/cli/data-folder/folder-work.ts";
import manifest from "../../package.json" with { type: "json" };
import { HEARTH } from "../hearth-program.ts";
import { FolderDocument, writeFolder } from "../upgrade/folder-document.ts";
import { freshFolder, removeFolder } from "./folders.ts";

const STATEMENTS_MAX = 200;
/** The folder of version 0.1.0, whose files do not shrink. */
const RELEASED = new URL("../upgrade/folders/0.1.0.json", import.meta.url);

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => removeFolder(folder));

const path = (name: string): string => join(folder, name);
const setVersion = (name: string, version: number): void => {
  const database = new DatabaseSync(path(name));
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
};
const writeFormer = (): void =>
  writeFolder(folder, FolderDocument.parse(JSON.parse(readFileSync(RELEASED, "utf8"))));
const runOnce = async (): Promise<void> => {
  const host = await startHost({ port: 0, data: folder });
  await host.stop();
};
const databases = () => [DATABASE_FILE, FAKE_PROVIDER_FILE].map((name) => readFileSync(path(name)));

describe("the folder's VERSION", () => {
  it("names the version of Hearth that used it last, for people", async () => {
    await runOnce();
    const text = readFileSync(path(VERSION_FILE), "utf8");
    expect(text).toMatch(`Hearth ${manifest.version}\n`);
    expect(text).toContain(`hearth.db ${SCHEMA.version}`);
    const commit = commitOfClone(fileURLToPath(new URL("../..", import.meta.url)));
    expect(text.includes(`\nCommit ${commit}\n`)).toBe(commit !== null);
    expect(statSync(path(VERSION_FILE)).mode & 0o777).toBe(0o600);
    const { mtimeMs } = statSync(path(VERSION_FILE));
    await runOnce();
    expect(statSync(path(VERSION_FILE)).mtimeMs).toBe(mtimeMs);
  });
});

describe("a folder of another version", () => {
  it.each([
    [DATABASE_FILE, 99, "a newer version of Hearth (schema 99; this one knows"],
    [FAKE_PROVIDER_FILE, 99, "a newer version of Hearth (schema 99; this one knows 2)"],
    [DATABASE_FILE, 2, "before the first release of Hearth (schema 2), and no version upgrades it"],
  ])("is refused for its %s of schema %i, and no byte of it changes", async (name, at, text) => {
    await runOnce();
    setVersion(name, at);
    writeFileSync(path(VERSION_FILE), "Hearth 9.8.7\nby a test\n");
    const before = databases();
    const refused = startHost({ port: 0, data: folder });
    await expect(refused).rejects.toThrow(FolderRefused);
    await expect(refused).rejects.toThrow(text);
    await expect(refused).rejects.toThrow("The last that used the folder was Hearth 9.8.7.");
    expect(databases()).toEqual(before);
    expect(readFileSync(path(VERSION_FILE), "utf8")).toContain("9.8.7");
  });

  it("is refused with the commit of the program that used it last", async () => {
    await runOnce();
    setVersion(DATABASE_FILE, 99);
    writeFileSync(path(VERSION_FILE), "Hearth 9.8.7\nCommit 0123456789ab\nby a test\n");
    await expect(startHost({ port: 0, data: folder })).rejects.toThrow(
      "The last that used the folder was Hearth 9.8.7 (commit 0123456789ab).",
    );
  });

  it.each([
    [99, /newer version of Hearth/, /newer version of Hearth/],
    [2, /before the first release/, /before the first release/],
    [SCHEMA.version - 1, /is of a former version of Hearth/, null],
  ])("with schema %i is refused by the commands on it too", async (schema, rotation, backup) => {
    await runOnce();
    const backupFile = `${folder}.backup`;
    setVersion(DATABASE_FILE, schema);
    const before = [...databases(), readFileSync(path(KEYS_FILE))];
    expect(() => rotateHostKeys(folder, false)).toThrow(rotation);
    if (backup === null) makeBackup(folder, backupFile, new Date());
    else {
      expect(() => makeBackup(folder, backupFile, new Date())).toThrow(backup);
      expect([...databases(), readFileSync(path(KEYS_FILE))]).toEqual(before);
    }
    expect(existsSync(backupFile)).toBe(backup === null);
    expect(readFileSync(path(KEYS_FILE))).toEqual(before.at(-1));
    rmSync(backupFile, { force: true });
  });

  it("is refused in one sentence without a stack trace, and the command fails with 1", async () => {
    await runOnce();
    setVersion(DATABASE_FILE, 99);
    const options = [HEARTH, "serve", "--port", "0", "--data", folder];
    const { status, stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^ERROR: .*newer version of Hearth.*\n$/);
  });
});

const FORMER = new URL("former-records/folder.json", import.meta.url);
const STOPPED = fileURLToPath(new URL("../upgrade/stopped-upgrade.ts", import.meta.url));

const contents = (file: string) => {
  const database = new DatabaseSync(file);
  const schema = database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all();
  const stacks = database.prepare("SELECT * FROM stacks ORDER BY id").all();
  const events = database.prepare("SELECT * FROM events ORDER BY sequence").all();
  const version = schemaVersionOf(file);
  database.close();
  return { version, schema, stacks, events };
};

describe("an upgrade that is killed before any of its statements", () => {
  it("leaves the file of the former version, and the next start upgrades it", () => {
    const former = join(folder, "former");
    mkdirSync(former);
    writeFolder(former, FolderDocument.parse(JSON.parse(readFileSync(FORMER, "utf8"))));
    const before = contents(join(former, DATABASE_FILE));
    expect(before.version).toBeLessThan(SCHEMA.version);
    for (let step = 1; step <= STATEMENTS_MAX; step += 1) {
      const copy = join(folder, `stopped-${step}`);
      cpSync(former, copy, { recursive: true });
      const upgrade = [STOPPED, copy, String(step)];
      const { signal, status, stdout } = spawnSync(process.execPath, upgrade, { encoding: "utf8" });
      const statements = Number(stdout);
      expect(statements).toBeGreaterThan(10);
      if (step > statements) {
        expect({ status, version: contents(join(copy, DATABASE_FILE)).version }).toEqual({
          status: 0,
          version: SCHEMA.version,
        });
        return;
      }
      expect(signal, `statement ${step}`).toBe("SIGKILL");
      expect(contents(join(copy, DATABASE_FILE)), `statement ${step}`).toEqual(before);
      refuseOtherFolder(copy);
      openSqlite(copy, memoryClock()).close();
      expect(schemaVersionOf(join(copy, DATABASE_FILE))).toBe(SCHEMA.version);
    }
    throw new Error("the upgrade has more statements than this test tries");
  });
});

describe("the log of a start", () => {
  it("names version, commit, schema and folder, and an upgrade with from and to", async () => {
    const told = vi.spyOn(logger, "info").mockImplementation(() => undefined);
    const linesOf = async () => {
      told.mockClear();
      await runOnce();
      return told.mock.calls.filter(([text]) => /^Hearth starts$|upgraded/.test(text));
    };
    try {
      const { version } = manifest;
      const start = { version, folder, "schema of hearth.db": SCHEMA.version };
      const commit = commitOfClone(fileURLToPath(new URL("../..", import.meta.url)));
      expect(await linesOf()).toEqual([
        ["Hearth starts", expect.objectContaining({ ...start, commit, lastUsedBy: null })],
      ]);
      rmSync(folder, { recursive: true });
      mkdirSync(folder, { mode: 0o700 });
      writeFormer();
      expect(await linesOf()).toEqual([
        ["Hearth starts", expect.objectContaining(start)],
        ["a database was upgraded", { file: DATABASE_FILE, from: 5, to: SCHEMA.version }],
      ]);
      expect(await linesOf()).toHaveLength(1);
    } finally {
      told.mockRestore();
    }
  });
});

describe("hearth serve --check", () => {
  const files = () =>
    readdirSync(folder)
      // A reader of SQLite leaves an empty log, and a file of shared memory.
      .filter((name) => !/-(?:wal|shm)$/.test(name))
      .map((name) => [
        name,
        readFileSync(path(name)).toString("hex"),
        statSync(path(name)).mtimeMs,
      ]);
  const check = (...options: readonly string[]) => {
    const args = [HEARTH, "serve", "--check", "--data", folder, ...options];
    return spawnSync(process.execPath, args, { encoding: "utf8" });
  };

  it("says what an upgrade would do and need, and changes no byte", async () => {
    writeFormer();
    const before = files();
    const { status, stdout } = check();
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\S+ was last used by .*\. This is Hearth \d.*\.\n/);
    expect(stdout).toContain(`hearth.db would be upgraded from schema 5 to ${SCHEMA.version}.`);
    expect(stdout).toMatch(/The files would be made small, which needs \d+ MiB of the disk; /);
    expect(stdout).toContain(`"hearth backup FILE --data ${folder}"`);
    expect(JSON.parse(check("--json").stdout)).toMatchObject({ is_upgrade: true });
    expect(files()).toEqual(before);
  });

  it("says that nothing would be done, or why the folder cannot be used", async () => {
    await runOnce();
    const before = files();
    expect(check().stdout).toContain("Nothing was changed, and nothing would be upgraded.");
    expect(files()).toEqual(before);
    setVersion(DATABASE_FILE, 99);
    expect(check()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^ERROR: .*newer version of Hearth.*\n$/),
    });
    rmSync(path(DATABASE_FILE));
    rmSync(path(FAKE_PROVIDER_FILE));
    expect(check()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no data of Hearth/),
    });
  });
});
