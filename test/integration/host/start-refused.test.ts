import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createToken, revokeToken } from "#host/credentials.ts";
import { type HostOptions, startHost } from "#host/host.ts";
import { startFailure } from "../../../apps/cli/serve/start-failure.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { startEngineDouble } from "../../docker/engine-double.ts";
import { hearth } from "../cli/hearth-process.ts";
import { send, waitForStack } from "./host-client.ts";

const STACK = { stack_name: "app", template: { heat_template_version: "2016-10-14" } };

let parent: string;
let folder: string;
beforeEach(() => {
  parent = freshFolder();
  folder = join(parent, "data");
});
afterEach(() => removeFolder(parent));

const at = (file: string): string => join(folder, file);
const modeOf = (path: string): number => statSync(path).mode & 0o777;

const visit = async (
  data = folder,
  meanwhile: (url: string) => Promise<void> = async () => undefined,
): Promise<void> => {
  const host = await startHost({ port: 0, data });
  await meanwhile(host.url);
  await host.stop();
};

const withStack = (): Promise<void> =>
  visit(folder, async (url) => {
    await send(url, "POST", "/v1/demo/stacks", STACK);
    await waitForStack(url, "app");
  });

const refusal = async (data = folder): Promise<string> => {
  try {
    await visit(data);
    return "it started";
  } catch (error) {
    return startFailure(error, data).message;
  }
};

const FOREIGN = "192.0.2.7";
const RESTORE = "Restore it from a backup, or name an empty folder with --data.";

describe("a data folder of which a part is missing", () => {
  it("is refused without its keys, and no new keys are made", async () => {
    await withStack();
    rmSync(at("keys.json"));
    expect(await refusal()).toBe(
      `${at("keys.json")} is missing, and the folder's stacks were sealed with it. ${RESTORE}`,
    );
    expect(existsSync(at("keys.json"))).toBe(false);
  });

  it("starts without keys as long as nothing was sealed", async () => {
    await visit();
    rmSync(at("keys.json"));
    expect(await refusal()).toBe("it started");
  });

  it("is refused with damaged keys, with foreign ones, and with a folder in their place", async () => {
    await withStack();
    for (const text of ["", "{", '{"signing":[]}']) {
      writeFileSync(at("keys.json"), text);
      const told = await refusal();
      expect(told).toContain(`${at("keys.json")} does not have the keys of Hearth (`);
      expect(told).toContain(RESTORE);
    }
    rmSync(at("keys.json"));
    mkdirSync(at("keys.json"), { mode: 0o700 });
    expect(await refusal()).toBe(`${at("keys.json")} cannot be used: it is a folder.`);
  });

  it("is refused without its database, and the missing one is not made", async () => {
    await withStack();
    renameSync(at("hearth.db"), at("elsewhere.db"));
    expect(await refusal()).toBe(`${at("hearth.db")} is missing beside keys.json. ${RESTORE}`);
    expect(existsSync(at("hearth.db"))).toBe(false);
    rmSync(at("keys.json"));
    writeFileSync(at("hearth.db-wal"), "writes");
    expect(await refusal()).toBe(`${at("hearth.db")} is missing beside hearth.db-wal. ${RESTORE}`);
  });

  it("is refused with an emptied database", async () => {
    await withStack();
    truncateSync(at("hearth.db"));
    expect(await refusal()).toBe(`${at("hearth.db")} is empty beside keys.json. ${RESTORE}`);
    expect(statSync(at("hearth.db")).size).toBe(0);
  });
});

describe("a data folder that cannot be used", () => {
  it("is refused if it is a file, or lies below one", async () => {
    writeFileSync(folder, "");
    expect(await refusal()).toBe(`${folder} is not a folder. Name one with --data.`);
    const below = join(folder, "data");
    expect(await refusal(below)).toBe(`${below} is not a folder. Name one with --data.`);
  });

  it("is refused if the file for its version cannot be written", async () => {
    await withStack();
    rmSync(at("VERSION"));
    mkdirSync(at("VERSION.new"));
    expect(await refusal()).toBe(`${at("VERSION")} cannot be used: it is a folder.`);
  });

  it("is refused with a damaged database, whichever it is", async () => {
    await withStack();
    for (const file of ["cloud.db", "hearth.db", "host.lock"]) {
      const text = readFileSync(at(file));
      writeFileSync(at(file), "no database".repeat(1_000));
      expect(await refusal()).toBe(`${at(file)} is damaged. ${RESTORE}`);
      writeFileSync(at(file), text);
    }
    expect(await refusal()).toBe("it started");
  });

  it("is refused with a database of another version, which is not changed", async () => {
    await withStack();
    const database = new DatabaseSync(at("hearth.db"));
    database.exec("PRAGMA user_version = 999");
    database.close();
    expect(await refusal()).toContain(
      `${at("hearth.db")} was written by a newer version of Hearth (schema 999;`,
    );
  });

  it("is refused while another process has locked its database", async () => {
    await withStack();
    const other = new DatabaseSync(at("hearth.db"));
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    expect(await refusal()).toBe(
      `${at("hearth.db")} cannot be used: another process has locked it.`,
    );
    other.close();
  });

  it("is refused while another host uses it", () =>
    visit(folder, async () => {
      expect(await refusal()).toBe(`Another Hearth host is using ${folder}.`);
    }));

  it("tells of a taken port in one sentence too", () =>
    visit(folder, async (url) => {
      const { port } = new URL(url);
      const { code, stderr } = await hearth("", "serve", "--memory", "--port", port);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `ERROR: Port ${port} of 127.0.0.1 is taken.\n`,
      });
    }));

  it("names the options of servers in Docker that cannot be", async () => {
    const options = ["serve", "--memory", "--port", "0", "--docker-network", "private"];
    const alone = await hearth("", ...options);
    expect(alone).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--docker-network is an option of --docker"),
    });
    const socket = join(parent, "engine.sock");
    const engine = await startEngineDouble(socket, "docker");
    const docker = ["--docker", `unix://${socket}`];
    const lost = await hearth("", ...options, ...docker);
    const foreign = [...docker, "--docker-metadata", FOREIGN];
    const elsewhere = await hearth("", "serve", "--memory", "--port", "0", ...foreign);
    await engine.stop();
    expect(elsewhere).toMatchObject({
      code: 1,
      stderr: `ERROR: ${FOREIGN} is not an address of this machine. Give it one: ip address add ${FOREIGN}/32 dev lo\n`,
    });
    expect(lost).toMatchObject({
      code: 1,
      stderr: `ERROR: Docker at ${socket} has no network private. Make it: docker network create private\n`,
    });
  });

  it("ends the command with one sentence and exit code 1", async () => {
    await withStack();
    writeFileSync(at("keys.json"), "{");
    const { code, stdout, stderr } = await hearth("", "serve", "--port", "0", "--data", folder);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^ERROR: .*keys.json does not have the keys of Hearth \(.*\)\. .*\n$/);
  });
});

describe("a refused start", () => {
  const MISSING = { certFile: "no such certificate", keyFile: "no such key" };
  const wrong: Readonly<Record<string, Partial<HostOptions>>> = {
    "without a token": { auth: "tokens" },
    "at a foreign address": { address: FOREIGN, plainHttp: true },
    "at a foreign address for agents": { agentsListen: { address: FOREIGN, port: 0 } },
    "without its certificate": { tls: MISSING },
  };
  const start = (options: Partial<HostOptions>, data = folder) =>
    startHost({ port: 0, data, plainHttp: true, ...options });

  it.each(Object.entries(wrong))("%s leaves nothing that it has made", async (_, options) => {
    await expect(start(options)).rejects.toThrow();
    await expect(start(options, join(folder, "deep", "below"))).rejects.toThrow();
    expect(readdirSync(parent)).toEqual([]);
  });

  it.each(Object.entries(wrong))("%s leaves a folder as it was", async (_, options) => {
    mkdirSync(folder);
    await expect(start(options)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(at("note"), "of somebody");
    await expect(start(options)).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["note"]);
  });

  it("without a valid token leaves the folder of a revoked one as it was", async () => {
    const { id } = createToken(folder, "demo", null);
    revokeToken(folder, id);
    const former = readdirSync(folder);
    await expect(start({ auth: "tokens" })).rejects.toThrow(`${folder} holds no valid token`);
    expect(readdirSync(folder)).toEqual(former);
  });

  it("on a taken port leaves nothing, and another host's folder stays in use", () =>
    visit(folder, async (url) => {
      const other = join(parent, "other");
      const { port } = new URL(url);
      await expect(start({ port: Number(port) }, other)).rejects.toThrow("EADDRINUSE");
      expect(existsSync(other)).toBe(false);
      const former = readdirSync(folder);
      expect(await refusal()).toBe(`Another Hearth host is using ${folder}.`);
      expect(readdirSync(folder)).toEqual(former);
    }));

  it("leaves a folder that another program has put something into", async () => {
    const refused = start({ address: FOREIGN });
    writeFileSync(at("note"), "of somebody");
    await expect(refused).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(["note"]);
  });
});

describe("the files of a data folder", () => {
  it("are for their owner only, whatever the folder's mode is", async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    await visit(folder, async (url) => {
      await send(url, "POST", "/v1/demo/stacks", STACK);
      const modes = readdirSync(folder).map((file) => `${file} ${modeOf(at(file)).toString(8)}`);
      expect(modes.filter((line) => !line.endsWith(" 600"))).toEqual([]);
      expect(modes.length).toBeGreaterThanOrEqual(7);
    });
  });

  it("lose the rights that others have, but shared keys are refused", async () => {
    await withStack();
    for (const file of ["hearth.db", "cloud.db", "host.lock"]) chmodSync(at(file), 0o666);
    await visit();
    for (const file of ["hearth.db", "cloud.db", "host.lock"]) expect(modeOf(at(file))).toBe(0o600);
    for (const mode of [0o640, 0o604]) {
      chmodSync(at("keys.json"), mode);
      expect(await refusal()).toBe(
        `Others can read the keys in ${at("keys.json")} (mode 0${mode.toString(8)}). Run chmod 600 on it if nobody has read them.`,
      );
    }
  });

  it("stay where a link to the folder pointed when the host started", async () => {
    await withStack();
    const link = join(parent, "link");
    symlinkSync(folder, link);
    await visit(link, async (url) => {
      expect(await refusal()).toBe(`Another Hearth host is using ${folder}.`);
      expect((await send(url, "GET", "/v1/demo/stacks/app")).status).toBe(200);
    });
    symlinkSync(join(parent, "nowhere"), join(parent, "broken"));
    expect(await refusal(join(parent, "broken"))).toContain(join(parent, "broken"));
  });
});
