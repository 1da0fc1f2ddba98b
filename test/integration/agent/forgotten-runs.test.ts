/**
 * An agent's folder keeps everything of the runs that the document names, and only the ids of all
 * others. Whatever happens in between, no script runs twice.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openRecords } from "../../../apps/agent/records.ts";
import { freshWorldPerTest, inWorld } from "./agent-world.ts";
import { entry, shell } from "./fake-engine.ts";

const world = freshWorldPerTest();

const CLOCK = new URL("../../agents/clock-ahead.ts", import.meta.url);
const DAY_MS = 86_400_000;

const { deploy, readText, signalledIds } = inWorld(world);

const FOLDERS = ["deployed", "results", "running", "scripts", "outputs", "logs"];

const left = (): readonly string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(world.root, folder)).map((one) => `${folder}/${one}`),
  );

const counted = (id: string, more: object = {}): object =>
  entry(
    world.engine,
    id,
    shell(`echo ${id} >> count`, 'printf "the secret" > "$heat_outputs_path.word"'),
    { outputs: ["word"], ...more },
  );

/** By then the agent has read the newest document and has nothing left to run. */
const idle = async (): Promise<void> => world.engine.polledAgain(3);

const ran = (): readonly string[] =>
  existsSync(join(world.root, "count")) ? readText("count").trim().split("\n") : [];

const settled = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000 });

afterEach(() => vi.unstubAllEnvs());

describe("the folder of an agent", () => {
  it("keeps the last script and log of each deployment that the document names, and no output", async () => {
    deploy(counted("d1"), counted("d2", { signal: null }));
    world.start();
    await world.engine.signalled("d1");
    await settled(() =>
      expect(left()).toEqual([
        ...["d1", "d2"].map((id) => `deployed/${id}.json`),
        ...["d1", "d2"].map((id) => `results/${id}.json`),
        ...["d1", "d2"].map((id) => `scripts/${id}`),
        ...["d1", "d2"].flatMap((id) => [`logs/${id}.stderr`, `logs/${id}.stdout`]),
      ]),
    );
    for (const id of ["d1", "d2"])
      expect(readText(`results/${id}.json`)).not.toContain("the secret");
  });

  it("does not grow with the runs, and keeps nothing of a deployment that nobody names", async () => {
    world.start();
    const ids = Array.from({ length: 12 }, (_, at) => `run-${at}`);
    for (const id of ids) {
      deploy(counted(id));
      await world.engine.signalled(id);
      await settled(() => expect(left()).toHaveLength(5));
    }
    deploy();
    await settled(() => expect(left()).toEqual([]));
    expect(ran()).toEqual(ids);
    expect(readText("ended").trim().split("\n")).toEqual(ids);
  });

  it("keeps what an older agent has left only if the document names it", async () => {
    const first = world.start();
    await idle();
    await first.kill("SIGKILL");
    for (const id of ["d1", "d2"]) {
      const run = { id, name: id, deployment: id, action: "CREATE", startedAt: "", signal: null };
      const result = { run, body: { word: "the secret" }, delivery: "ACKNOWLEDGED" };
      writeFileSync(join(world.root, `deployed/${id}.json`), JSON.stringify(run));
      writeFileSync(join(world.root, `results/${id}.json`), JSON.stringify(result));
      writeFileSync(join(world.root, `outputs/${id}.word`), "the secret");
      mkdirSync(join(world.root, `outputs/${id}.folder`));
    }
    deploy(counted("d2"));
    world.start();
    await settled(() => expect(left()).toEqual(["deployed/d2.json", "results/d2.json"]));
    deploy(counted("d1"), counted("d2"));
    await idle();
    expect(ran()).toEqual([]);
  });

  it("bounds the list of its runs", async () => {
    const first = world.start();
    await idle();
    await first.kill("SIGKILL");
    writeFileSync(join(world.root, "runs.jsonl"), `${" ".repeat(1_048_576)}\n`);
    deploy(counted("d1"));
    world.start();
    await world.engine.signalled("d1");
    expect(readText("runs.jsonl")).toMatch(/^\{"deployment":"d1_deploy"/);
    expect(existsSync(join(world.root, "runs.1.jsonl"))).toBe(true);
  });
});

describe("no script runs twice", () => {
  it("when a document is empty once, or a restored engine names a former run", async () => {
    deploy(counted("d1"), counted("d2"));
    const first = world.start();
    await world.engine.signalled("d2");
    deploy();
    await settled(() => expect(left()).toEqual([]));
    deploy(counted("d1"), counted("d2"));
    await idle();
    await first.kill("SIGKILL");
    world.start();
    await idle();
    expect(ran()).toEqual(["d1", "d2"]);
    expect(signalledIds()).toEqual(["d1", "d2"]);
  });

  it("when one of two stacks on the server is deleted, and the other one goes on", async () => {
    deploy(counted("first"), counted("second"));
    world.start();
    await world.engine.signalled("second");
    deploy(counted("second"));
    await settled(() => expect(left().some((path) => path.includes("first"))).toBe(false));
    deploy(counted("second"), counted("third"));
    await world.engine.signalled("third");
    await idle();
    expect(ran()).toEqual(["first", "second", "third"]);
  });

  it("while its result has not arrived, even if no document names it", async () => {
    world.engine.refuseSignals(...Array.from({ length: 1_000 }, () => 503));
    deploy(counted("d1"));
    const first = world.start();
    await world.engine.until(() => world.engine.attempts() > 0);
    deploy();
    await idle();
    await first.kill("SIGKILL");
    world.engine.acceptSignals();
    world.start();
    const [signal] = await world.engine.signalled("d1");
    expect(signal?.body).toMatchObject({ word: "the secret", deploy_status_code: 0 });
    await settled(() => expect(left()).toEqual([]));
    expect(ran()).toEqual(["d1"]);
  });

  it("when the machine's clock is a month ahead, a month behind, and right again", async () => {
    deploy(counted("d1"));
    const first = world.start();
    await world.engine.signalled("d1");
    await first.kill("SIGTERM");
    const clock = join(world.root, "clock");
    vi.stubEnv("NODE_OPTIONS", `--import=${CLOCK.href}`);
    vi.stubEnv("HEARTH_TEST_CLOCK", clock);
    for (const days of [31, -31, 0]) {
      writeFileSync(clock, String(days * DAY_MS));
      const agent = world.start();
      await idle();
      await agent.kill("SIGTERM");
    }
    expect(ran()).toEqual(["d1"]);
    expect(signalledIds()).toEqual(["d1"]);
  });

  it("if an entry of the document cannot be read, which may be that run", async () => {
    deploy(counted("d1"));
    world.start();
    await world.engine.signalled("d1");
    deploy({ id: "../d1" });
    await idle();
    expect(existsSync(join(world.root, "scripts/d1"))).toBe(true);
  });

  it("when the list of ended runs is full: the ones that were named last stay", () => {
    const records = openRecords(world.root);
    const list = Array.from({ length: 10_000 }, (_, at) => `run-${at}`).join("\n");
    writeFileSync(join(world.root, "ended"), list);
    expect(records.isStarted("run-0")).toBe(true);
    const nothing = new Set<string>();
    records.forget(nothing, nothing);
    expect(records.isStarted("run-0")).toBe(true);
    expect(records.isStarted("run-9999")).toBe(true);
    records.forget(nothing, nothing);
    const ended = readText("ended").trim().split("\n");
    expect([ended.length, ended.at(0), ended.at(-1)]).toEqual([10_000, "run-1", "run-9999"]);
  });
});

/** Kills the agent after N operations on its folder, counted from the first write of `ended`. */
const DEADLY = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let left = -1;
  for (const name of ["openSync", "renameSync", "linkSync", "rmSync", "fsyncSync"]) {
    const real = fs[name];
    fs[name] = (...given) => {
      if (left < 0 && String(given[0]).includes("/ended.")) left = Number(process.env.DIES_AT);
      if (left === 0) process.kill(process.pid, "SIGKILL");
      if (left > 0) left -= 1;
      return real(...given);
    };
  }
  syncBuiltinESMExports();
`;
/** Five operations for the list, and for each of two folders two files and the flush. */
const OPERATIONS = 13;

describe("an agent that is killed as it forgets two runs", () => {
  it.each(Array.from({ length: OPERATIONS }, (_, at) => at))(
    "after %i operations runs neither again, and reports neither again",
    async (operation) => {
      deploy(counted("d1"), counted("d2"));
      const file = join(world.root, "deadly.mjs");
      writeFileSync(file, DEADLY);
      vi.stubEnv("NODE_OPTIONS", `--import=${file}`);
      vi.stubEnv("DIES_AT", String(operation));
      const deadly = world.start();
      await world.engine.signalled("d2");
      deploy(counted("d3"));
      await world.engine.signalled("d3");
      expect(await deadly.ended()).toBeNull();
      vi.unstubAllEnvs();
      deploy(counted("d1"), counted("d2"), counted("d3"));
      const next = world.start();
      await idle();
      deploy(counted("d3"));
      await settled(() => expect(left()).toHaveLength(5));
      await next.kill("SIGKILL");
      expect(ran()).toEqual(["d1", "d2", "d3"]);
      expect(signalledIds()).toEqual(["d1", "d2", "d3"]);
      expect(readFileSync(join(world.root, "ended"), "utf8")).toBe("d1\nd2");
    },
  );
});
