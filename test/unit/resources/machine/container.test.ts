import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { problemOfContainer } from "#lib/resources/machine/container.ts";
import { containerScript, type WantedContainer } from "#lib/resources/machine/container-script.ts";

const WANTED: WantedContainer = {
  name: "box",
  image: "nginx:1.27",
  command: ["sh", "-c", "it's"],
  environment: new Map([
    ["PASSWORD", "s3cret\nsecond"],
    ["PATH", "/s3cret"],
  ]),
  ports: [{ address: "::1", hostPort: 8080, port: 80, protocol: "tcp" }],
  volumes: [
    { source: "/srv", path: "/srv", isReadOnly: true },
    { source: "data", path: "/data", isReadOnly: false },
  ],
  networks: ["front", "back"],
  restart: "always",
};

describe("the script of a container", () => {
  const { functions, values } = containerScript(WANTED);
  const words = /set -- ([\s\S]*?)\nexec/.exec(functions)?.[1] ?? "";

  it("has all of it in the words of the engine's program, and no value of a variable", () => {
    expect(words).toContain("'--restart' 'always'");
    expect(words).toContain("'--publish' '[::1]:8080:80/tcp'");
    expect(words).toContain("'--mount' 'type=bind,source=/srv,target=/srv,ro'");
    expect(words).toContain("'--mount' 'type=volume,source=data,target=/data'");
    expect(words).toContain("'--network' 'front'");
    expect(words).toContain("'--env' 'PASSWORD'");
    expect(words).toContain("'it'\\''s'");
    expect(words).not.toContain("s3cret");
    expect(words).not.toContain("PATH");
  });

  it("exports what a shell can, and writes the rest into a file", () => {
    expect(functions).toContain("export PASSWORD='s3cret\nsecond'");
    expect(functions).toContain("variables() { printf %s 'PATH=/s3cret\n'; }");
    expect(functions).toContain("uses() { printf %s 'image nginx:1.27\nvolume data\n'; }");
  });

  it("connects the other networks, and compares them in the engine's order", () => {
    expect(values).toMatchObject({ more_networks: "back", networks: "back front" });
  });

  it.each([
    ["a variable", { environment: new Map([["PASSWORD", "other"]]) }],
    ["a port", { ports: [] }],
    ["a word of the command", { command: ["sh"] }],
    ["the restart policy", { restart: "no" }],
  ])("has other settings after a change of %s", (_what, change: Partial<WantedContainer>) => {
    const other = containerScript({ ...WANTED, ...change });
    expect(other.values["settings"]).not.toBe(values["settings"]);
  });
});

describe("a container's definition", () => {
  it.each<[string, JsonObject, string | null]>([
    ["nothing", {}, null],
    ["variables", { environment: { A: "a\nb", B: 1, C: true, "d.e": "f", G: null } }, null],
    ["what waits for another resource", { environment: "", ports: "" }, null],
    [
      "a wrong name",
      { environment: { "a b": "" } },
      "environment: a b cannot be the name of a variable",
    ],
    ["a list", { environment: { A: [] } }, "environment: A must be a text"],
    [
      "two lines of a file",
      { environment: { PATH: "a\nb" } },
      "environment: PATH can have only one line",
    ],
    ["a NUL", { environment: { A: "s3cret\0" } }, "environment: A has a NUL"],
    [
      "too long a value",
      { environment: { A: "x".repeat(32_769) } },
      "environment: A has more than 32768 characters",
    ],
    ["two networks, one of them host", { networks: ["a", "host"] }, "networks: host stands alone"],
    [
      "ports without a network",
      { networks: ["none"], ports: [{ port: 80 }] },
      "ports: the network none passes no ports on",
    ],
  ])("with %s", (_what, given, problem) => {
    expect(problemOfContainer(given)).toBe(problem);
  });
});
