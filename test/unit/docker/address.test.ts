import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findEngine, NoEngine, readAddress } from "#providers/docker/engine/address.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";

let home: string;
beforeEach(() => {
  home = freshFolder();
});
afterEach(() => removeFolder(home));

const writeContext = (name: string, host: string): void => {
  const id = createHash("sha256").update(name).digest("hex");
  const folder = join(home, ".docker/contexts/meta", id);
  mkdirSync(folder, { recursive: true });
  const meta = { Name: name, Endpoints: { docker: { Host: host } } };
  writeFileSync(join(folder, "meta.json"), JSON.stringify(meta));
};

describe("an address", () => {
  it.each([
    ["unix:///run/a.sock", { socketPath: "/run/a.sock" }],
    ["/run/a.sock", { socketPath: "/run/a.sock" }],
    ["tcp://10.0.0.5", { host: "10.0.0.5", port: 2375 }],
    ["tcp://10.0.0.5:99", { host: "10.0.0.5", port: 99 }],
  ])("reads %s", (text, wanted) => {
    expect(readAddress(text)).toEqual(wanted);
  });

  it.each(["ssh://user@host", "npipe:////./pipe/docker", "docker.sock", "https://10.0.0.5"])(
    "refuses %s",
    (text) => {
      expect(() => readAddress(text)).toThrow(NoEngine);
    },
  );
});

describe("without an address", () => {
  it("takes DOCKER_HOST before the current context", () => {
    writeContext("colima", "unix:///colima.sock");
    writeFileSync(join(home, ".docker/config.json"), '{"currentContext":"colima"}');
    expect(findEngine({ environment: { DOCKER_HOST: "unix:///host.sock" }, home })).toEqual({
      socketPath: "/host.sock",
    });
    expect(findEngine({ environment: {}, home })).toEqual({ socketPath: "/colima.sock" });
  });

  it("takes DOCKER_CONTEXT before the configured one, and names a context without a host", () => {
    writeContext("colima", "unix:///colima.sock");
    writeContext("desk", "unix:///desk.sock");
    writeFileSync(join(home, ".docker/config.json"), '{"currentContext":"colima"}');
    const environment = { DOCKER_CONTEXT: "desk" };
    expect(findEngine({ environment, home })).toEqual({ socketPath: "/desk.sock" });
    expect(() => findEngine({ environment: { DOCKER_CONTEXT: "gone" }, home })).toThrow(
      "The Docker context gone has no host",
    );
  });

  it("takes an empty variable for one that is not set", () => {
    writeContext("colima", "unix:///colima.sock");
    writeFileSync(join(home, ".docker/config.json"), '{"currentContext":"colima"}');
    const environment = { DOCKER_HOST: "", DOCKER_CONTEXT: "", DOCKER_CONFIG: "" };
    expect(findEngine({ environment, home })).toEqual({ socketPath: "/colima.sock" });
  });

  it("looks for no socket in the working folder if XDG_RUNTIME_DIR is empty", () => {
    const found = (): string => {
      try {
        return JSON.stringify(findEngine({ environment: { XDG_RUNTIME_DIR: "" }, home }));
      } catch (error) {
        return String(error);
      }
    };
    expect(found()).not.toMatch(/(?<!\/)podman\/podman\.sock/);
  });

  it("finds the socket of a user's Podman", async () => {
    const folder = join(home, "podman");
    mkdirSync(folder);
    const server = createServer().listen(join(folder, "podman.sock"));
    await new Promise((resolve) => server.once("listening", resolve));
    const environment = { XDG_RUNTIME_DIR: home, DOCKER_CONTEXT: "default" };
    const found = findEngine({ environment, home: join(home, "nowhere") });
    server.close();
    // On a machine with a socket at the first usual place, the search ends there.
    expect([join(folder, "podman.sock"), "/var/run/docker.sock"]).toContain(
      "socketPath" in found ? found.socketPath : "",
    );
  });
});
