import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACCESS_LOG_FILE, type AccessEntry, openAccessLog } from "#host/access-log.ts";

const LIMITS = { bytesMax: 2_000, filesMax: 3, waitingMax: 8 };
const ENTRY: AccessEntry = {
  at: 0,
  listener: "api",
  remote: "192.0.2.7",
  method: "GET",
  path: "/v1/demo/stacks",
  status: 401,
  project: null,
  token: null,
  reason: "no-token",
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-access-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => openAccessLog(folder, () => true, LIMITS);
const linesOf = (name: string): string[] =>
  readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
const addTo = async (count: number, first = 0): Promise<void> => {
  for (let number = first; number < first + count; number += 1) {
    const log = open();
    log.add({ ...ENTRY, path: `/${number}` });
    await log.close();
  }
};

describe("the access log", () => {
  it("keeps a bounded number of bounded files, and the newest lines", async () => {
    await addTo(100);
    expect(readdirSync(folder).toSorted()).toEqual([
      ACCESS_LOG_FILE,
      `${ACCESS_LOG_FILE}.1`,
      `${ACCESS_LOG_FILE}.2`,
    ]);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(LIMITS.bytesMax);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    const kept = [`${ACCESS_LOG_FILE}.2`, `${ACCESS_LOG_FILE}.1`, ACCESS_LOG_FILE].flatMap(linesOf);
    const numbers = kept.map((line) => Number(/"path":"\/(\d+)"/.exec(line)?.[1]));
    expect(numbers.at(-1)).toBe(99);
    expect(numbers).toEqual(numbers.map((_, index) => 100 - numbers.length + index));
  });

  it("loses lines under a flood rather than memory, and says how many", async () => {
    const log = open();
    for (let number = 0; number < 100; number += 1) log.add({ ...ENTRY, path: null });
    await log.close();
    const lines = linesOf(ACCESS_LOG_FILE);
    const lost = lines.filter((line) => line.startsWith('{"lost_lines"'));
    expect(lost).toHaveLength(1);
    const { lost_lines } = JSON.parse(lost[0] ?? "{}");
    expect(lost_lines + lines.length - lost.length).toBe(100);
    expect(lost_lines).toBeGreaterThan(0);
  });

  it("cuts a long path, and cannot be made to write a line of its own", async () => {
    const log = open();
    log.add({ ...ENTRY, path: `/\n${"x".repeat(20_000)}` });
    await log.close();
    const lines = linesOf(ACCESS_LOG_FILE);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThan(1_000);
  });

  it("goes on once it can be written again, and says what is missing", async () => {
    const log = open();
    mkdirSync(join(folder, ACCESS_LOG_FILE));
    log.add(ENTRY);
    await log.settled();
    rmSync(join(folder, ACCESS_LOG_FILE), { recursive: true });
    log.add(ENTRY);
    await log.close();
    expect(linesOf(ACCESS_LOG_FILE)).toEqual([
      expect.stringContaining('"reason":"no-token"'),
      '{"lost_lines":1}',
    ]);
  });

  it("writes nothing after it was closed", async () => {
    const log = open();
    log.add(ENTRY);
    await log.close();
    log.add(ENTRY);
    await log.settled();
    expect(linesOf(ACCESS_LOG_FILE)).toHaveLength(1);
  });

  it("follows no link, and takes from others the right to read", async () => {
    const elsewhere = join(folder, "elsewhere");
    writeFileSync(elsewhere, "");
    symlinkSync(elsewhere, join(folder, ACCESS_LOG_FILE));
    await addTo(1);
    expect(readFileSync(elsewhere, "utf8")).toBe("");
    rmSync(join(folder, ACCESS_LOG_FILE));
    writeFileSync(join(folder, ACCESS_LOG_FILE), "");
    chmodSync(join(folder, ACCESS_LOG_FILE), 0o644);
    await addTo(1);
    expect(statSync(join(folder, ACCESS_LOG_FILE)).mode & 0o777).toBe(0o600);
  });
});
