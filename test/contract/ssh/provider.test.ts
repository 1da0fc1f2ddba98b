/**
 * The provider of machines, on a folder that stands for one. `npm run lane -- ssh` uses a real
 * machine.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { JsonObject } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { Refused, Unreachable } from "#providers/ssh/client.ts";
import { type FolderMachine, openFolderMachine } from "../../ssh/folder-machine.ts";
import { removeFolder } from "../folders.ts";
import { callOf } from "../provider-call.ts";

const TYPE = "Hearth::Machine::SSH";
const HOST_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlvvPc2SCvTzFFUaCUUqY6SJDnP6yGEBQmM1w2cZ1hx machine";
const SILENT_MS_MAX = 300;

describe(TYPE, () => {
  let machine: FolderMachine;
  beforeEach(() => {
    machine = openFolderMachine();
  });
  afterEach(() => machine.remove());
  const root = () => machine.root;
  const open = () => machine.provider({ silentMsMax: SILENT_MS_MAX });

  const properties = (given: JsonObject = {}): JsonObject => ({
    address: "192.0.2.10",
    port: 22,
    user: "root",
    host_key: HOST_KEY,
    identity: "ops",
    hearth_boot: { metadata_url: "https://hearth.example/v1/one" },
    ...given,
  });

  const type = () => {
    const found = open().types[TYPE];
    if (found === undefined) throw new Error("the provider has no such type");
    return found;
  };

  const filesOf = (place: string): readonly string[] =>
    readdirSync(place, { recursive: true, encoding: "utf8" }).sort();

  it("keeps the contract of plug-ins", async () => {
    const { provider, name, types } = open();
    const results = await checkProvider(
      {
        type: TYPE,
        load: async () => readProvider({ provider, name, types }),
        properties: properties(),
        changed: properties({ address: "192.0.2.11" }),
        failing: properties({ identity: "nobody" }),
      },
      () => undefined,
    );
    expect(results.filter(({ verdict }) => verdict === "failed")).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === "passed").length).toBeGreaterThan(9);
  });

  it("leaves a working agent alone, and starts it anew for another URL", async () => {
    const call = callOf("one", { properties: properties() });
    const first = await type().create(call);
    expect(await type().create(call)).toEqual(first);
    const restarts = () =>
      readFileSync(join(root(), "run/restarts"), "utf8").split("\n").length - 1;
    expect(restarts()).toBe(1);
    const moved = properties({ hearth_boot: { metadata_url: "https://hearth.example/v1/two" } });
    await type().update?.({
      ...call,
      action: "UPDATE",
      physicalId: idIn(first),
      properties: moved,
    });
    expect(restarts()).toBe(2);
  });

  it("removes what it installed, and nothing else", async () => {
    const before = filesOf(root());
    const call = callOf("one", { properties: properties() });
    const made = await type().create(call);
    mkdirSync(join(root(), "opt/hearth/hooks/own"));
    const gone = { ...call, action: "DELETE" as const, physicalId: idIn(made) };
    expect(await type().delete(gone)).toEqual({ state: "finished" });
    const own = ["opt/hearth", "opt/hearth/hooks", "opt/hearth/hooks/own", "run/restarts"];
    expect(filesOf(root())).toEqual([...before, ...own].sort());
  });

  it("says who has the machine", async () => {
    await type().create(callOf("one", { properties: properties() }));
    const other = callOf("two", { properties: properties(), stackId: "stack-2" });
    expect(await type().create(other)).toEqual({
      state: "failed",
      reason: "it belongs to the resource thing of the stack app",
    });
    expect(await type().create({ ...other, tenant: "kit" })).toEqual({
      state: "failed",
      reason: "it belongs to a stack of another project",
    });
  });

  it("asks for another resource where a new system has the address", async () => {
    const call = callOf("one", { properties: properties(), action: "UPDATE" });
    const answer = await type().update?.({ ...call, physicalId: "of a former system" });
    expect(answer).toEqual({ state: "replace" });
    expect(existsSync(join(root(), "etc/hearth-machine"))).toBe(false);
  });

  it("waits for a machine that is silent, says so, and gives up in the end", async () => {
    const call = callOf("one", { properties: properties() });
    machine.faults.push(new Unreachable("the machine does not answer: refused", true));
    const waits = await type().create(call);
    if (waits.state !== "waiting") throw new Error(waits.state);
    const { physicalId, handle = "" } = waits;
    expect(open().waitsFor(handle)).toBe("the machine does not answer: refused");
    const poll = { ...call, physicalId, handle };
    expect((await type().poll?.(poll))?.state).toBe("finished");
    machine.faults.push(new Unreachable("the machine does not answer: refused", true));
    const late = { ...poll, handle: `${Date.now() - SILENT_MS_MAX} it was silent` };
    expect(await type().poll?.(late)).toEqual({
      state: "failed",
      reason: "the machine does not answer: refused",
      physicalId,
    });
  });

  it("leaves no object to delete if the machine lets nobody in", async () => {
    machine.faults.push(new Refused("the machine has another host key"));
    expect(await type().create(callOf("one", { properties: properties() }))).toEqual({
      state: "failed",
      reason: "the machine has another host key",
    });
  });

  it("installs no agent that could never poll", async () => {
    const remote = machine.provider({ isLocal: (url) => url.includes("127.0.0.1") });
    const boot = { hearth_boot: { metadata_url: "http://127.0.0.1:8004/v1/one" } };
    const call = callOf("one", { properties: properties(boot) });
    expect(await remote.types[TYPE]?.create(call)).toMatchObject({
      state: "failed",
      reason: "its agent would poll http://127.0.0.1:8004, which other machines cannot reach",
    });
    expect(existsSync(join(root(), "etc/hearth-machine"))).toBe(false);
  });

  it("tells in a check that the agent does not run", async () => {
    const call = callOf("one", { properties: properties() });
    const physicalId = idIn(await type().create(call));
    const check = { ...call, action: "CHECK" as const, physicalId };
    expect((await type().check?.(check))?.state).toBe("finished");
    removeFolder(join(root(), "run/hearth-agent"));
    expect(await type().check?.(check)).toEqual({
      state: "failed",
      reason: "the agent does not run: inactive",
    });
  });
});

const idIn = (answer: object): string =>
  "physicalId" in answer && typeof answer.physicalId === "string" ? answer.physicalId : "";
