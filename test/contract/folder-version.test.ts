import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startHost } from "#host/host.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import { refuseOtherFolder, VERSION_FILE } from "#lib/adapters/sqlite/folder-version.ts";
import { schemaVersionOf } from "#lib/adapters/sqlite/migrate.ts";
import { DATABASE_FILE, openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { FolderRefused } from "#lib/adapters/sqlite/private-files.ts";
import { SCHEMA } from "#lib/adapters/sqlite/schema.ts";
import manifest from "../../package.json" with { type: "json" };
import { HEARTH } from "../hearth-program.ts";
import { FolderDocument, writeFolder } from "../upgrade/folder-document.ts";
import { freshFolder, removeFolder } from "./folders.ts";

const STATEMENTS_MAX = 200;

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
    [DATABASE_FILE, 2, "another version of Hearth (schema 2), which this one cannot upgrade"],
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

/** Everything that sqlite_schema and the tables hold, in a new process' view. */
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
