import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import {
  KEYS_FILE,
  loadOrCreateKeys,
  readKeys,
  SIGNING_KEYS_MAX,
} from "#lib/adapters/sqlite/folder/keys.ts";
import { openLiveSigner } from "#lib/adapters/sqlite/folder/live-signer.ts";
import { rotateKeys } from "#lib/adapters/sqlite/folder/rotate-keys.ts";
import { DATABASE_FILE, openSqlite } from "#lib/adapters/sqlite/open-sqlite.ts";

const LOOKED = { timeout: 10_000 };
const GRANT = { tenant: "t", kind: "signal", id: "d", exp: 0, gen: 1 } as const;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fill = (): string => {
  openSqlite(folder, memoryClock()).close();
  return loadOrCreateKeys(folder).signing[0]?.kid ?? "";
};
const rotate = (now: number, leaked = false) => rotateKeys(folder, { now, leaked });
const kids = (): readonly string[] => readKeys(folder)?.signing.map(({ kid }) => kid) ?? [];
const file = (): string => join(folder, KEYS_FILE);

describe("a rotation of a folder's signing key", () => {
  it("puts a new key before the former one, and changes nothing else", () => {
    const first = fill();
    const { encryption } = loadOrCreateKeys(folder);
    const rotated = rotate(1_000);
    expect(rotated).toMatchObject({ kind: "rotated", verify: [first], removed: [], servers: 0 });
    const [made, former, ...others] = kids();
    expect([made === first, former, others]).toEqual([false, first, []]);
    expect(readKeys(folder)?.encryption).toEqual(encryption);
  });

  it("writes the whole file for its owner only, even over a file that others can read", () => {
    fill();
    writeFileSync(`${file()}.new`, "left by a killed command", { mode: 0o644 });
    chmodSync(`${file()}.new`, 0o644);
    rotate(1_000);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file()}.new`)).toBe(false);
    expect(kids()).toHaveLength(2);
  });

  it("keeps every former key, and forgets them all after a leak only", () => {
    fill();
    for (const now of [1_000, 1_001, 1_002]) rotate(now);
    const before = kids();
    expect(before).toHaveLength(4);
    expect(rotate(1_003, true)).toMatchObject({ verify: [], removed: before });
    expect(kids()).toHaveLength(1);
  });

  it("is refused when the folder can keep no further key, which a leak's rotation ends", () => {
    fill();
    for (let made = 1; made < SIGNING_KEYS_MAX; made++) rotate(made);
    expect(rotate(1_000)).toEqual({ kind: "too many" });
    expect(kids()).toHaveLength(SIGNING_KEYS_MAX);
    expect(rotate(1_001, true)).toMatchObject({ kind: "rotated" });
  });

  it("makes nothing in a folder without a database or without keys", () => {
    expect(rotate(1_000)).toEqual({ kind: "no keys" });
    expect(readdirSync(folder)).toEqual([]);
    openSqlite(folder, memoryClock()).close();
    expect(rotate(1_000)).toEqual({ kind: "no keys" });
    expect(existsSync(file())).toBe(false);
  });

  it("waits for another one: the database's write lock is held", () => {
    fill();
    const other = new DatabaseSync(join(folder, DATABASE_FILE));
    other.exec("BEGIN IMMEDIATE");
    expect(() => rotateKeys(folder, { now: 1, leaked: false, lockMsMax: 1 })).toThrow("locked");
    other.close();
    expect(rotate(1).kind).toBe("rotated");
  });

  it("quotes no secret of a damaged file", () => {
    fill();
    const text = readFileSync(file(), "utf8");
    const secret = /"secret": "(.{8})/.exec(text)?.[1] ?? "no secret";
    for (const damaged of [text.replace('"secret":', '"secret"'), text.replace('"kid"', '"kit"')]) {
      writeFileSync(file(), damaged);
      expect(() => rotate(1_000)).toThrow(`${file()} does not have the keys of Hearth`);
      expect(() => rotate(1_000)).not.toThrow(secret);
      expect(readFileSync(file(), "utf8")).toBe(damaged);
    }
  });
});

describe("the signer of a running host", () => {
  it("takes a new key, and verifies the former one's signatures", async () => {
    fill();
    const live = openLiveSigner(folder, loadOrCreateKeys(folder), () => {});
    const before = live.signer.sign(GRANT);
    rotate(1_000);
    await expect.poll(() => live.signer.sign(GRANT).kid, LOOKED).toBe(kids()[0]);
    expect(live.signer.verify(GRANT, before.kid, before.sig)).toBe(true);
    rotate(1_001);
    rotate(1_002);
    await expect.poll(() => live.signer.sign(GRANT).kid, LOOKED).toBe(kids()[0]);
    expect(live.signer.verify(GRANT, before.kid, before.sig)).toBe(true);
    rotate(1_003, true);
    await expect.poll(() => live.signer.knows(before.kid), LOOKED).toBe(false);
    expect(live.signer.verify(GRANT, before.kid, before.sig)).toBe(false);
    live.close();
  });

  it("keeps its keys when the file is gone, damaged, or of another folder, and says so", async () => {
    const first = fill();
    const keys = loadOrCreateKeys(folder);
    const told: string[] = [];
    const live = openLiveSigner(folder, keys, (error) => told.push(String(error)));
    const good = readFileSync(file(), "utf8");
    const foreign = { ...JSON.parse(good), encryption: Buffer.alloc(32).toString("base64") };
    const changes = [
      () => rmSync(file()),
      () => writeFileSync(file(), "{}", { mode: 0o600 }),
      () => writeFileSync(file(), JSON.stringify(foreign), { mode: 0o600 }),
    ];
    for (const [at, change] of changes.entries()) {
      change();
      await expect.poll(() => told.length, LOOKED).toBe(at + 1);
      expect(live.signer.sign(GRANT).kid).toBe(first);
    }
    expect(told.map((text) => text.replace(folder, ""))).toEqual([
      expect.stringContaining("is gone"),
      expect.stringContaining("does not have the keys of Hearth"),
      expect.stringContaining("has another encryption key"),
    ]);
    live.close();
  });
});
