import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CommandFailed } from "../../../apps/cli/failure.ts";
import { programFor } from "../../../apps/cli/program.ts";
import { type FakeHeat, startFakeHeat } from "./fake-heat.ts";

const LIST = "GET /v1/web/stacks?limit=1";
const TOKEN = "a-token-that-nobody-sees";

let heat: FakeHeat;
let folder: string;
let said: string;

beforeEach(async () => {
  heat = await startFakeHeat();
  folder = mkdtempSync(join(tmpdir(), "hearth-profiles-"));
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  for (const name of ["ENDPOINT", "PROJECT", "TOKEN", "PROFILE"]) {
    vi.stubEnv(`HEARTH_${name}`, undefined);
  }
  said = "";
  const take = (text: unknown): boolean => {
    said += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(take);
  vi.spyOn(process.stderr, "write").mockImplementation(take);
  heat.answerWith(LIST, { stacks: [] });
  for (const project of ["web", "demo", "other"]) {
    heat.answerWith(`GET /v1/${project}/stacks?limit=1000`, { stacks: [] });
  }
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await heat.close();
  rmSync(folder, { recursive: true });
});

const run = async (...words: readonly string[]): Promise<number> => {
  try {
    await (await programFor(words)).parseAsync([...words], { from: "user" });
    return 0;
  } catch (error) {
    said += error instanceof Error ? error.message : "";
    if (error instanceof CommandFailed) return error.exitCode;
    return 1;
  }
};

const typing = async <T>(text: string, work: () => Promise<T>): Promise<T> => {
  const input = Object.assign(new PassThrough(), { isTTY: false });
  input.end(text);
  const own = Object.getOwnPropertyDescriptor(process, "stdin") ?? {};
  Object.defineProperty(process, "stdin", { configurable: true, get: () => input });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, "stdin", own);
  }
};

const REFUSED = { error: { message: "Authentication required" } };

const typeToken = (...words: readonly string[]) =>
  typing(`${TOKEN}\n`, () =>
    run("--endpoint", heat.endpoint, "--project", "web", ...words, "login"),
  );

const login = (...words: readonly string[]) => {
  heat.answerWith(LIST, { stacks: [] }, REFUSED);
  return typeToken(...words);
};

const file = () => join(folder, "hearth", "config.json");

describe("login", () => {
  it("keeps the token in a file of the owner alone, and shows it nowhere", async () => {
    expect(await login()).toBe(0);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), "utf8")).toContain(TOKEN);
    expect(said).toContain("The profile default in ");
    expect(said).not.toContain(TOKEN);
    expect(heat.requests).toMatchObject([
      { path: "/v1/web/stacks?limit=1", token: TOKEN },
      { path: "/v1/web/stacks?limit=1", token: undefined },
    ]);
  });

  it("keeps no token for a host that demands none, and says so", async () => {
    expect(await typeToken()).toBe(0);
    expect(JSON.parse(readFileSync(file(), "utf8")).profiles.default).toEqual({
      endpoint: heat.endpoint,
      project: "web",
    });
    expect(said).toContain("This host demands no token");
  });

  it("keeps no token that the host refuses, and none that is empty", async () => {
    heat.answerWith(LIST, REFUSED);
    expect(await typeToken()).toBe(1);
    expect(await typing("\n", () => run("--endpoint", heat.endpoint, "login"))).toBe(2);
    expect(statSync(file(), { throwIfNoEntry: false })).toBeUndefined();
    expect(said).not.toContain(TOKEN);
  });

  it("keeps several profiles, and logout removes one", async () => {
    await login();
    await login("--profile", "other");
    expect(await run("--profile", "other", "logout")).toBe(0);
    expect(Object.keys(JSON.parse(readFileSync(file(), "utf8")).profiles)).toEqual(["default"]);
    expect(await run("--profile", "other", "logout")).toBe(1);
    expect(await run("--profile", "other", "stack", "list")).toBe(2);
  });
});

describe("the file of the profiles", () => {
  it("in a place where no folder can be is told, as is a folder in its place", async () => {
    writeFileSync(join(folder, "hearth"), "");
    expect(await login()).toBe(1);
    expect(said).toContain(`${file()} cannot be written`);
    rmSync(join(folder, "hearth"));
    mkdirSync(file(), { recursive: true });
    expect(await login()).toBe(2);
    expect(said).toContain(`${file()} is a folder`);
  });

  it("that is damaged is told with a way out", async () => {
    await login();
    writeFileSync(file(), "{");
    expect(await login()).toBe(2);
    expect(said).toContain("remove it and log in again");
    rmSync(file());
    expect(await login()).toBe(0);
  });
});

describe("a profile", () => {
  beforeEach(() => login());

  const asked = () => {
    const { path, token } = heat.requests.at(-1) ?? {};
    return { path, token };
  };

  it("is what no option and no variable says", async () => {
    expect(await run("stack", "list")).toBe(0);
    expect(asked()).toEqual({ path: "/v1/web/stacks?limit=1000", token: TOKEN });
    vi.stubEnv("HEARTH_PROJECT", "other");
    expect(await run("stack", "list")).toBe(0);
    expect(asked()).toEqual({ path: "/v1/other/stacks?limit=1000", token: TOKEN });
    expect(await run("--project", "demo", "--token", "mine", "stack", "list")).toBe(0);
    expect(asked()).toEqual({ path: "/v1/demo/stacks?limit=1000", token: "mine" });
  });

  it("also fills in what an empty variable leaves open", async () => {
    for (const name of ["ENDPOINT", "PROJECT", "TOKEN", "PROFILE", "CA_FILE"]) {
      vi.stubEnv(`HEARTH_${name}`, "");
    }
    expect([await run("stack", "list"), said]).toEqual([0, expect.any(String)]);
    expect(asked()).toEqual({ path: "/v1/web/stacks?limit=1000", token: TOKEN });
    // An option that a script gives empty is still a mistake.
    expect(await run("--project", "", "stack", "list")).toBe(2);
    expect(said).toContain("--project is empty");
  });

  it("gives nothing to another endpoint", async () => {
    const other = await startFakeHeat();
    other.answerWith("GET /v1/demo/stacks?limit=1000", { stacks: [] });
    expect(await run("--endpoint", other.endpoint, "stack", "list")).toBe(0);
    vi.stubEnv("HEARTH_ENDPOINT", other.endpoint);
    expect(await run("stack", "list")).toBe(0);
    await other.close();
    expect(other.requests.map(({ token }) => token)).toEqual([undefined, undefined]);
  });

  it("in a file that others may read is refused, and so is a damaged one", async () => {
    chmodSync(file(), 0o640);
    expect(await run("stack", "list")).toBe(2);
    chmodSync(file(), 0o600);
    writeFileSync(file(), `{"profiles": "${TOKEN}"}`);
    expect(await run("stack", "list")).toBe(2);
    expect(said).not.toContain(TOKEN);
  });
});

describe("an empty variable without a profile", () => {
  it("leaves an option its default", async () => {
    vi.stubEnv("HEARTH_PROJECT", "");
    vi.stubEnv("HEARTH_PROFILE", "");
    vi.stubEnv("HEARTH_TOKEN", "");
    expect(await run("--endpoint", heat.endpoint, "stack", "list")).toBe(0);
    expect(heat.requests).toMatchObject([{ path: "/v1/demo/stacks?limit=1000", token: undefined }]);
  });

  it("names no project for a token", async () => {
    vi.stubEnv("HEARTH_PROJECT", "");
    expect(await run("token", "create", "--data", folder)).toBe(2);
    expect(said).toContain("--project is missing: whose token is it?");
  });
});

describe("a token", () => {
  const AWAY = "http://192.0.2.2:8620";

  it.each([
    ["stack", "list", "--endpoint", AWAY, "--token", TOKEN],
    ["stack", "list", "--endpoint", "HTTP://127.0.0.1.example", "--token", TOKEN],
    ["doctor", "--endpoint", AWAY, "--token", TOKEN],
    ["login", "--endpoint", AWAY, "--token", TOKEN],
  ])("is sent to no other machine over plain HTTP: %s %s", async (...words) => {
    const sent = vi.spyOn(globalThis, "fetch");
    expect(await run(...words)).toBe(2);
    expect(said).toContain("in clear text. Name an https:// URL, or allow that with --plain-http");
    expect(sent).not.toHaveBeenCalled();
  });

  it("is sent there if the user or the profile says so", async () => {
    const answer = () => Promise.resolve(Response.json({ stacks: [] }));
    const sent = vi.spyOn(globalThis, "fetch").mockImplementation(answer);
    const login = ["login", "--endpoint", AWAY, "--token", TOKEN, "--plain-http"];
    expect(await run(...login)).toBe(0);
    expect(await run("stack", "list")).toBe(0);
    expect(sent.mock.calls.every(([url]) => String(url).startsWith(AWAY))).toBe(true);
  });
});
