import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { IN_MEMORY } from "#lib/adapters/sqlite/database.ts";
import { openSqliteFakeProvider } from "#lib/adapters/sqlite/fake-provider.ts";
import { LOCK_FILE, lockFolder } from "#lib/adapters/sqlite/folder/folder-lock.ts";
import { KEYS_FILE, loadOrCreateKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import { DATABASE_FILE, openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";
import { freshFolder, removeFolder } from "./folders.ts";
import {
  aCheck,
  aDeployment,
  aGraph,
  anArrival,
  anEvent,
  aPointKey,
  aRow,
  aStack,
  NOW,
} from "./records.ts";

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => removeFolder(folder));

describe("a file that lost its power while it was made", () => {
  it("is made anew, and not refused because its first transaction must be undone", () => {
    const dead = new DatabaseSync(join(folder, "dead.db"));
    dead.exec("CREATE TABLE t (a); PRAGMA cache_size = 1; BEGIN");
    // These rows exceed the cache, so SQLite has written a part of them, and a journal to undo
    // them.
    const many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 9999)";
    dead.exec(`${many} INSERT INTO t SELECT i FROM n`);
    for (const end of ["", "-journal"])
      copyFileSync(join(folder, `dead.db${end}`), join(folder, `${DATABASE_FILE}${end}`));
    dead.close();
    const opened = openSqlite(folder, memoryClock());
    expect(opened.queue.messages()).toEqual([]);
    opened.close();
  });
});

describe("a reopened data folder", () => {
  it("contains everything that was written", async () => {
    const [stack, row, key, graph] = [aStack(), aRow(), aPointKey(), aGraph()];
    const [event, deployment] = [anEvent(), aDeployment()];
    const before = openSqlite(folder, memoryClock());
    await before.store.createStack(stack);
    await before.store.putStackName(stack.tenant, "web", stack);
    await before.store.writeResource(row, [], { set: {}, insert: row });
    const { syncPoint } = await before.store.arrive(key, anArrival());
    await before.store.putGraph(graph, NOW);
    await before.store.putEvents(event.stackId, [event]);
    await before.blobs.put("key", "text");
    await before.softwareConfigs.publishDeployment(deployment);
    await before.queue.send("check", [aCheck("a")]);
    const [changes, counters] = [before.changes.read(10), before.counters.read()];
    before.close();

    const after = openSqlite(folder, memoryClock());
    expect(await after.store.getStack(stack.tenant, stack.id)).toEqual(stack);
    expect(await after.store.getStackName(stack.tenant, "web")).toBe(stack.id);
    expect(await after.store.getResource(row)).toEqual({ ...row, version: 1 });
    expect(await after.store.getSyncPoint(key)).toEqual(syncPoint);
    expect(await after.store.getGraph(graph.stackId, graph.traversalId)).toEqual(graph);
    expect(await after.store.listEvents(event.stackId, {})).toMatchObject([event]);
    expect(await after.blobs.get("key")).toBe("text");
    expect(await after.softwareConfigs.listDeployments(deployment.serverId)).toEqual([deployment]);
    expect(after.queue.messages()).toHaveLength(1);
    expect(after.changes.read(10)).toEqual(changes);
    expect(after.counters.read()).toEqual(counters);
    after.close();
  });

  it("keeps the fake provider's objects and tokens, and uses no id again", async () => {
    const create = { stackName: "s", logicalName: "l", type: "t", properties: {}, waitMs: 0 };
    const before = openSqliteFakeProvider(folder, memoryClock());
    const kept = await before.create({ ...create, token: "t1" });
    await before.delete({ token: "t3", physicalId: "object-2", waitMs: 0 });
    before.close();
    const after = openSqliteFakeProvider(folder, memoryClock());
    expect(await after.create({ ...create, token: "t1" })).toEqual(kept);
    expect(await after.create({ ...create, token: "t2" })).not.toEqual(kept);
    expect(await after.list()).toHaveLength(2);
    after.close();
  });
});

/**
 * Runs hold-folder.ts until it has written some records, and kills it.
 * @returns the last record that it printed.
 */
const writeAndKill = async (until: number, meanwhile: () => void): Promise<number> => {
  const script = fileURLToPath(new URL("hold-folder.ts", import.meta.url));
  const child = spawn(process.execPath, [script, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let promised = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    promised = Number(line);
    if (promised !== until) continue;
    meanwhile();
    child.kill("SIGKILL");
  }
  await exited;
  return promised;
};

describe("kill -9 of a host", () => {
  it("frees the folder's lock, and loses no acknowledged write", async () => {
    const promised = await writeAndKill(200, () => {
      expect(() => lockFolder(folder)).toThrow(`Another Hearth host is using ${folder}.`);
    });
    expect(promised).toBeGreaterThanOrEqual(200);
    const lock = lockFolder(folder);
    const after = openSqlite(folder, memoryClock());
    const stacks = await after.store.listStacks("killed");
    expect(stacks.length).toBeGreaterThanOrEqual(promised);
    const last = `stack-${promised}`;
    expect(await after.store.getStackName("killed", last)).toBe(last);
    expect(after.counters.read()["traversals"]).toBe(stacks.length);
    after.close();
    lock.release();
  });
});

describe("the lock of a folder", () => {
  it("is refused to a second holder until the first releases it", () => {
    const lock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(`Another Hearth host is using ${folder}.`);
    lock.release();
    lock.release();
    lockFolder(folder).release();
  });

  it("is not lost when this process asks for it again", async () => {
    const lock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow(`Another Hearth host is using ${folder}.`);
    const script = fileURLToPath(new URL("hold-folder.ts", import.meta.url));
    const child = spawn(process.execPath, [script, folder], { stdio: "ignore" });
    expect(await once(child, "exit")).toEqual([1, null]);
    lock.release();
  });

  it("takes what was made for it away with it, once", () => {
    const below = join(folder, "made", "data");
    const lock = lockFolder(below);
    expect(existsSync(join(below, LOCK_FILE))).toBe(true);
    lock.undo();
    expect(readdirSync(folder)).toEqual([]);
    const next = lockFolder(below);
    lock.undo();
    expect(existsSync(join(below, LOCK_FILE))).toBe(true);
    next.release();
  });

  it("leaves the file and the folders that were there before", () => {
    lockFolder(folder).release();
    lockFolder(folder).undo();
    expect(readdirSync(folder)).toEqual([LOCK_FILE]);
  });
});

describe("keys", () => {
  it("are created once, readable by the owner only", () => {
    const made = loadOrCreateKeys(folder);
    expect(made.signing).toHaveLength(1);
    expect(made.encryption).toHaveLength(32);
    expect(statSync(join(folder, KEYS_FILE)).mode & 0o777).toBe(0o600);
    expect(loadOrCreateKeys(folder)).toEqual(made);
  });

  it("exist in memory only without a folder", () => {
    expect(loadOrCreateKeys(IN_MEMORY)).not.toEqual(loadOrCreateKeys(IN_MEMORY));
  });

  it("are not replaced if they are damaged", () => {
    loadOrCreateKeys(folder);
    const path = join(folder, KEYS_FILE);
    writeFileSync(path, readFileSync(path, "utf8").replace("kid", "kidney"));
    expect(() => loadOrCreateKeys(folder)).toThrow();
  });
});
