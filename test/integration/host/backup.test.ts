import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendDigest, dropDigest } from "#lib/adapters/sqlite/folder/backup.ts";
import type { JsonObject } from "#lib/json.ts";
import { HEARTH } from "../../hearth-program.ts";
import { hearth } from "../cli/hearth-process.ts";
import { at, send, waitForStack } from "./host-client.ts";
import { type ServeProcess, startServe } from "./serve-process.ts";

const STACKS = 20;
const LONGER_THAN_THE_TEST_SECONDS = 600;
const NO_HOST = "http://127.0.0.1:9";

let folder: string;
const hosts: ServeProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-backup-"));
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop("SIGKILL")));
  rmSync(folder, { recursive: true });
});

const path = (name: string): string => join(folder, name);
const serve = async (data: string): Promise<ServeProcess> => {
  const host = await startServe("--data", path(data));
  hosts.push(host);
  return host;
};
const backup = (file = "backup", data = "data") =>
  hearth(NO_HOST, "backup", path(file), "--data", path(data));
const restore = (file = "backup", data = "restored") =>
  hearth(NO_HOST, "restore", path(file), "--data", path(data));

const template = (value: string, waitSecs = 0.05): JsonObject => ({
  heat_template_version: "2018-08-31",
  parameters: { secret: { type: "string", hidden: true, default: "hidden" } },
  resources: Object.fromEntries(
    Array.from({ length: 4 }, (_, index) => [
      `r${index}`,
      {
        type: "OS::Heat::TestResource",
        properties: {
          value: index === 0 ? value : { get_attr: [`r${index - 1}`, "output"] },
          wait_secs: waitSecs,
        },
      },
    ]),
  ),
  outputs: {
    last: { value: { get_attr: ["r3", "output"] } },
    secret: { value: { get_param: "secret" } },
  },
});

const names = Array.from({ length: STACKS }, (_, index) => `stack-${index}`);
const create = (url: string, name: string) =>
  send(url, "POST", "/v1/demo/stacks", { stack_name: name, template: template("0") });
const update = (url: string, name: string, value: string, waitSecs = 0.3) =>
  send(url, "PUT", `/v1/demo/stacks/${name}`, { template: template(value, waitSecs) });
const output = async (url: string, name: string): Promise<string> =>
  String(
    at(
      (await send(url, "GET", `/v1/demo/stacks/${name}`)).body,
      "stack",
      "outputs",
      0,
      "output_value",
    ),
  );
const status = async (url: string, name: string) =>
  at((await send(url, "GET", `/v1/demo/stacks/${name}`)).body, "stack", "stack_status");

describe("hearth backup of a folder whose host works", () => {
  it("holds all that was accepted before it, and the restored host ends every update", async () => {
    const { url, stop } = await serve("data");
    for (const name of names) expect((await create(url, name)).status).toBe(201);
    await Promise.all(names.map((name) => waitForStack(url, name)));
    for (const name of names) expect((await update(url, name, "1")).status).toBe(202);
    const made = await backup();
    expect(made).toMatchObject({ code: 0, stderr: "" });
    // The host goes on during the backup, and its later changes are not in the backup.
    expect((await create(url, "later")).status).toBe(201);
    await Promise.all(
      names.map((name) =>
        expect.poll(() => status(url, name), { timeout: 30_000 }).toBe("UPDATE_COMPLETE"),
      ),
    );
    expect(await stop("SIGTERM")).toBe(0);

    const restored = await restore();
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toContain("Do not run the former host too");
    const second = await serve("restored");
    for (const name of names) {
      await expect
        .poll(() => status(second.url, name), { timeout: 30_000 })
        .toBe("UPDATE_COMPLETE");
      expect(await output(second.url, name)).toBe("1");
    }
    expect((await send(second.url, "GET", "/v1/demo/stacks/later")).status).toBe(404);
    const { body } = await send(second.url, "GET", "/_dev/resources");
    expect(at(body, "resources")).toHaveLength(STACKS * 4);
  });

  it("was taken while updates were running", async () => {
    const { url } = await serve("data");
    await create(url, "one");
    await waitForStack(url, "one");
    await update(url, "one", "1", LONGER_THAN_THE_TEST_SECONDS);
    expect(await backup()).toMatchObject({ code: 0 });
    expect(await restore()).toMatchObject({ code: 0 });
    const database = new DatabaseSync(path("restored/hearth.db"));
    const row = database.prepare("SELECT body FROM stacks").get();
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'backup%'")
      .all();
    database.close();
    expect(JSON.parse(String(row?.["body"]))).toMatchObject({ status: "IN_PROGRESS" });
    expect(tables).toEqual([]);
  });
});

const makeBackup = async (): Promise<void> => {
  const { url, stop } = await serve("data");
  await create(url, "one");
  await waitForStack(url, "one");
  await stop("SIGTERM");
  expect(await backup()).toMatchObject({ code: 0 });
};

describe("a backup", () => {
  it("is one file that only its owner may read, and so is all that is restored", async () => {
    await makeBackup();
    expect(readdirSync(folder)).toEqual(["backup", "data"]);
    expect(statSync(path("backup")).mode & 0o777).toBe(0o600);
    chmodSync(path("backup"), 0o644);
    expect(await restore()).toMatchObject({ code: 0 });
    expect(readdirSync(path("restored")).toSorted()).toEqual([
      "cloud.db",
      "hearth.db",
      "host.lock",
      "keys.json",
    ]);
    for (const name of ["cloud.db", "hearth.db", "keys.json"])
      expect(statSync(path(`restored/${name}`)).mode & 0o777, name).toBe(0o600);
    expect(statSync(path("restored")).mode & 0o777).toBe(0o700);
  });

  it("never replaces a file, and is refused of what is no data folder", async () => {
    await makeBackup();
    const before = readFileSync(path("backup"));
    const again = await backup();
    expect(again).toMatchObject({
      code: 1,
      stderr: `ERROR: ${path("backup")} is there already.\n`,
    });
    expect(readFileSync(path("backup"))).toEqual(before);
    const none = await backup("other", "nothing");
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(
      /^ERROR: .*nothing is not a data folder of Hearth: it has no hearth.db.\n$/,
    );
    symlinkSync(path("nowhere"), path("link"));
    expect((await backup("link")).stderr).toMatch(/^ERROR: .*link is there already.\n$/);
    rmSync(path("link"));
    expect((await backup("missing/other")).stderr).toMatch(/^ERROR: .*missing does not exist.\n$/);
    expect(readdirSync(folder)).toEqual(["backup", "data"]);
  });

  it("is refused of an emptied database, and nothing is written", async () => {
    await makeBackup();
    rmSync(path("data/hearth.db-wal"), { force: true });
    truncateSync(path("data/hearth.db"));
    const { code, stderr } = await backup("empty");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `ERROR: ${path("data/hearth.db")} has no data of Hearth.\n`,
    });
    expect(readdirSync(folder)).toEqual(["backup", "data"]);
  });

  it("killed at any moment is whole under its name, or not there", async () => {
    const { url } = await serve("data");
    for (const name of names) await create(url, name);
    let killed = 0;
    for (let kill = 0; kill < 12; kill += 1) {
      const file = `killed-${kill}`;
      const child = spawn(process.execPath, [HEARTH, "backup", path(file), "--data", path("data")]);
      const exited = once(child, "exit");
      await killAtChange(child, file, kill % 4);
      await exited;
      if (child.signalCode === "SIGKILL") killed += 1;
      if (readdirSync(folder).includes(file))
        expect(await restore(file, `restored-${kill}`), file).toMatchObject({ code: 0 });
    }
    expect(killed).toBeGreaterThan(0);
  });
});

/** Kills when the backup's own folder holds this many files, or when the backup has ended. */
const killAtChange = async (child: ChildProcess, file: string, files: number): Promise<void> => {
  while (child.exitCode === null) {
    const beside = readdirSync(folder).find((name) => name.startsWith(`${file}.`));
    if (beside !== undefined && filesIn(path(beside)) >= files) {
      child.kill("SIGKILL");
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
};
const filesIn = (place: string): number => {
  try {
    return readdirSync(place).length;
  } catch {
    return 0;
  }
};

const read = (data: string, sql: string): readonly unknown[] => {
  const database = new DatabaseSync(path(`${data}/hearth.db`), { readOnly: true });
  const rows = database.prepare(sql).all();
  database.close();
  return rows.map((row) => ({ ...row }));
};
const schemaOf = (data: string) =>
  read(data, "SELECT type, name, sql FROM sqlite_master ORDER BY type, name");
const rowsOf = (data: string) =>
  ["stacks", "resources", "blobs", "events", "sqlite_sequence"].map((table) =>
    read(data, `SELECT * FROM ${table}`),
  );

describe("hearth restore", () => {
  const refused = async (file: string, text: RegExp, exit = 1): Promise<void> => {
    const { code, stderr } = await restore(file);
    expect(code).toBe(exit);
    expect(stderr).toMatch(text);
    expect(stderr.split("\n")).toHaveLength(2);
    expect(readdirSync(folder)).not.toContain("restored");
  };

  it("refuses a folder that holds anything, and leaves it alone", async () => {
    await makeBackup();
    const before = readdirSync(path("data"));
    const { code, stderr } = await restore("backup", "data");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `ERROR: ${path("data")} is not empty. Restore into a new folder.\n`,
    });
    expect(readdirSync(path("data"))).toEqual(before);
  });

  const changed = (sql: string): void => {
    dropDigest(path("backup"));
    const database = new DatabaseSync(path("backup"));
    database.exec(sql);
    database.close();
    appendDigest(path("backup"));
  };

  it("takes the rows of known tables only, and nothing that would run in the host", async () => {
    await makeBackup();
    changed(`CREATE TRIGGER stolen AFTER INSERT ON api_tokens BEGIN
        UPDATE api_tokens SET tenant = 'evil' WHERE hash = new.hash; END;
      CREATE VIEW seen AS SELECT * FROM api_tokens;
      CREATE TABLE foreign_rows (body TEXT);
      CREATE INDEX odd ON stacks (json_extract(body, '$.name'));
      ALTER TABLE stacks ADD COLUMN more TEXT DEFAULT 'more'`);
    expect(await restore()).toMatchObject({ code: 0 });
    expect(schemaOf("restored")).toEqual(schemaOf("data"));
    expect(rowsOf("restored")).toEqual(rowsOf("data"));
  });

  it.each([
    [
      "a view in the place of a table",
      "ALTER TABLE servers RENAME TO s; CREATE VIEW servers AS SELECT * FROM s",
    ],
    ["a virtual table", "DROP TABLE servers; CREATE VIRTUAL TABLE servers USING fts5(id, body)"],
    ["a missing column", "ALTER TABLE evidence DROP COLUMN body"],
  ])("refuses a backup with %s", async (_, sql) => {
    await makeBackup();
    changed(sql);
    const { code, stderr } = await restore();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^ERROR: .*backup is damaged, or not a backup of Hearth: .*\n$/,
      ),
    });
    expect(readdirSync(path("restored"))).toEqual([]);
  });

  it("refuses a backup with one changed bit, wherever it is", async () => {
    await makeBackup();
    const whole = readFileSync(path("backup"));
    const value = whole.indexOf("TestResource");
    expect(value).toBeGreaterThan(0);
    for (const place of [value, Math.floor(whole.length / 2), whole.length - 1]) {
      const changed = Buffer.from(whole);
      changed[place] = (changed[place] ?? 0) ^ 1;
      writeFileSync(path("changed"), changed);
      await refused("changed", /damaged/);
    }
    writeFileSync(path("longer"), Buffer.concat([whole, whole.subarray(0, 1)]));
    await refused("longer", /damaged/);
  });

  it("leaves an empty folder if it fails in its middle", async () => {
    await makeBackup();
    dropDigest(path("backup"));
    const database = new DatabaseSync(path("backup"));
    database.exec("DELETE FROM backup_files WHERE name = 'keys.json'");
    database.close();
    appendDigest(path("backup"));
    const { code, stderr } = await restore();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ERROR: .*backup is damaged.*\n$/);
    expect(readdirSync(path("restored"))).toEqual([]);
  });

  it("refuses what is no backup, or a damaged one, and makes nothing", async () => {
    await makeBackup();
    await refused("absent", /absent does not exist/, 2);
    await refused("data", /data is a folder. Name a backup in it/);
    writeFileSync(
      path("text"),
      "this is not a database, and long enough to have a header ".repeat(4),
    );
    await refused("text", /not a backup of Hearth/);
    cpSync(path("data/hearth.db"), path("database"));
    await refused("database", /not a backup of Hearth/);
    const whole = readFileSync(path("backup"));
    writeFileSync(path("cut"), whole.subarray(0, whole.length / 2));
    await refused("cut", /damaged/);
    whole.fill(0xff, 8_192, 16_384);
    writeFileSync(path("spoilt"), whole);
    await refused("spoilt", /damaged/);
  });
});
