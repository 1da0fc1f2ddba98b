import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentScript } from "#lib/resources/machine/agent-script.ts";
import { fileScript, problemOfFile, type WantedFile } from "#lib/resources/machine/file.ts";
import { freshFolder, removeFolder } from "../../../contract/folders.ts";

const MODE_BITS = 0o7777;

describe("the script of a file", () => {
  let folder: string;
  beforeEach(() => {
    folder = freshFolder();
    mkdirSync(join(folder, "etc"));
  });
  afterEach(() => removeFolder(folder));

  const path = () => join(folder, "etc/motd");
  const records = () => join(folder, "records");

  type Given = Partial<WantedFile> & {
    readonly tools?: string;
  };

  const run = (action: string, { tools, ...given }: Given = {}, id = "one", resource = "motd") => {
    const { uid, gid } = statSync(folder);
    const file: WantedFile = {
      path: path(),
      content: "it's\nmine\n",
      mode: "640",
      owner: String(uid),
      group: String(gid),
      adopts: false,
      ...given,
    };
    const holder = { id, stackId: "stack-1", stackName: "site", resourceName: resource };
    const { status, stderr } = spawnSync("sh", ["-s"], {
      input: agentScript(fileScript(file), holder, records()),
      env: { PATH: `${tools ?? ""}:${process.env["PATH"]}`, deploy_action: action },
      encoding: "utf8",
    });
    return `${status} ${stderr.trim()}`.trim();
  };

  const everything = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

  it("writes the file, and a delete leaves nothing", () => {
    const before = everything();
    expect(run("CREATE")).toBe("0");
    expect(readFileSync(path(), "utf8")).toBe("it's\nmine\n");
    expect(statSync(path()).mode & MODE_BITS).toBe(0o640);
    expect(run("CHECK")).toBe("0");
    expect(run("UPDATE", { content: "other" })).toBe("0");
    expect(readFileSync(path(), "utf8")).toBe("other");
    expect(run("DELETE")).toBe("0");
    expect(everything()).toEqual(before);
    expect(run("DELETE")).toBe("0");
  });

  it("refuses a file that is there, and leaves nothing of its own", () => {
    writeFileSync(path(), "somebody's");
    const before = everything();
    expect(run("CREATE")).toContain("is there already. With adopt: true it is taken");
    expect(run("DELETE")).toBe("0");
    expect(everything()).toEqual(before);
    expect(readFileSync(path(), "utf8")).toBe("somebody's");
  });

  it("brings back the file that it has taken, with its rights", () => {
    writeFileSync(path(), "somebody's");
    chmodSync(path(), 0o604);
    expect(run("CREATE", { adopts: true })).toBe("0");
    expect(run("UPDATE", { adopts: true, content: "newer" })).toBe("0");
    writeFileSync(path(), "changed behind our back");
    expect(run("DELETE", { adopts: true })).toBe("0");
    expect(readFileSync(path(), "utf8")).toBe("somebody's");
    expect(statSync(path()).mode & MODE_BITS).toBe(0o604);
    expect(everything()).toEqual(["etc", "etc/motd"]);
  });

  it("takes a link as a link, and not what it leads to", () => {
    writeFileSync(join(folder, "target"), "far");
    symlinkSync("../target", path());
    expect(run("CREATE", { adopts: true })).toBe("0");
    expect(readFileSync(join(folder, "target"), "utf8")).toBe("far");
    expect(run("DELETE")).toBe("0");
    expect(readFileSync(path(), "utf8")).toBe("far");
  });

  it("removes the folders that it has made, unless somebody uses them", () => {
    const deep = { path: join(folder, "a/b/c") };
    expect(run("CREATE", deep)).toBe("0");
    writeFileSync(join(folder, "a/own"), "");
    expect(run("DELETE", deep)).toBe("0");
    expect(everything()).toEqual(["a", "a/own", "etc"]);
  });

  it("names the resource that has the path", () => {
    expect(run("CREATE")).toBe("0");
    const wanted = "belongs to the resource motd of the stack site";
    expect(run("CREATE", { adopts: true }, "two", "other")).toContain(wanted);
    expect(run("DELETE", {}, "two", "other")).toBe("0");
    expect(existsSync(path())).toBe(true);
  });

  it("goes on with another version of its resource, and outlives that one's delete", () => {
    writeFileSync(path(), "somebody's");
    expect(run("CREATE", { adopts: true })).toBe("0");
    expect(run("CREATE", { adopts: true, content: "new" }, "two")).toBe("0");
    expect(run("DELETE")).toBe("0");
    expect(readFileSync(path(), "utf8")).toBe("new");
    expect(run("DELETE", {}, "two")).toBe("0");
    expect(readFileSync(path(), "utf8")).toBe("somebody's");
  });

  it.each([
    ["content", () => writeFileSync(path(), "drifted"), "differs in: content"],
    ["mode", () => chmodSync(path(), 0o600), "differs in: mode"],
    ["existence", () => removeFolder(path()), "is not there"],
  ])("tells a drift of the %s, and an update mends it", (_what, drift, wanted) => {
    run("CREATE");
    drift();
    expect(run("CHECK")).toContain(wanted);
    expect(run("UPDATE")).toBe("0");
    expect(run("CHECK")).toBe("0");
  });

  it("begins again after an interruption at any file of its record", () => {
    writeFileSync(path(), "somebody's");
    mkdirSync(join(records(), "file-half"), { recursive: true });
    expect(run("CREATE", { adopts: true })).toBe("0");
    const [record = ""] = readdirSync(records()).filter((name) => name !== "file-half");
    // As if the run had died before the record was complete.
    removeFolder(join(records(), record, "id"));
    writeFileSync(path(), "somebody's");
    expect(run("CREATE", { adopts: true })).toBe("0");
    expect(run("DELETE")).toBe("0");
    expect(readFileSync(path(), "utf8")).toBe("somebody's");
    expect(readdirSync(records())).toEqual(["file-half"]);
  });

  it("follows no link that the owner of a folder on the way has put there", () => {
    mkdirSync(join(folder, "roots"));
    mkdirSync(join(folder, "home"));
    chmodSync(join(folder, "home"), 0o777);
    symlinkSync("../roots", join(folder, "home/app"));
    const given = { path: join(folder, "home/app/conf") };
    expect(run("CREATE", given)).toContain(
      "home/app is a link, and others than root can change it",
    );
    expect(readdirSync(join(folder, "roots"))).toEqual([]);
    expect(run("DELETE", given)).toBe("0");
  });

  it("goes through a link in a folder that only its own user can change", () => {
    mkdirSync(join(folder, "run"));
    chmodSync(folder, 0o755);
    symlinkSync("run", join(folder, "link"));
    const given = { path: join(folder, "link/conf") };
    expect(run("CREATE", given)).toBe("0");
    expect(readdirSync(join(folder, "run"))).toEqual(["conf"]);
    expect(run("DELETE", given)).toBe("0");
    expect(readdirSync(join(folder, "run"))).toEqual([]);
  });

  it("writes through no name that the owner of the folder could foresee", () => {
    mkdirSync(join(folder, "tools"));
    // The owner of the folder attacks: links appear at foreseeable names before each program runs.
    const programs = ["chown", "chmod", "mv", "cp", "mktemp", "rm"];
    const target = join(folder, "roots-own");
    writeFileSync(target, "secret");
    chmodSync(target, 0o600);
    for (const name of programs) {
      const real = spawnSync("sh", ["-c", `command -v ${name}`], {
        encoding: "utf8",
      }).stdout.trim();
      const links = `for one in ${path()}.hearth-new ${path()}.new; do [ -L "$one" ] || { /bin/rm -f "$one"; /bin/ln -s ${target} "$one"; }; done`;
      writeFileSync(join(folder, "tools", name), `#!/bin/sh\n${links}\nexec ${real} "$@"\n`);
      chmodSync(join(folder, "tools", name), 0o755);
    }
    expect(run("CREATE", { tools: join(folder, "tools") })).toBe("0");
    expect(run("UPDATE", { content: "2", tools: join(folder, "tools") })).toBe("0");
    expect(readFileSync(path(), "utf8")).toBe("2");
    expect(readFileSync(target, "utf8")).toBe("secret");
    expect(statSync(target).mode & MODE_BITS).toBe(0o600);
  });

  it("leaves no folder of its own after an interruption in the middle of a write", () => {
    mkdirSync(join(folder, "tools"));
    writeFileSync(join(folder, "tools/chown"), "#!/bin/sh\nkill -9 $PPID\n");
    chmodSync(join(folder, "tools/chown"), 0o755);
    expect(run("CREATE", { tools: join(folder, "tools") })).not.toBe("0");
    expect(readdirSync(join(folder, "etc"))).toHaveLength(1);
    expect(run("CREATE")).toBe("0");
    expect(readdirSync(join(folder, "etc"))).toEqual(["motd"]);
  });
});

describe("the definition of a file", () => {
  it.each<[string | null, string, string]>([
    [null, "/etc/motd", "a"],
    [null, "/opt/..a/.b", "\n"],
    ["path: .. leads around", "/etc/../etc/motd", ""],
    ["path: . leads around", "/etc/./motd", ""],
    ["path: .. leads around", "/etc/..", ""],
    ["content: it has a NUL", "/etc/motd", "a\0b"],
  ])("has the problem: %s", (problem, path, content) => {
    expect(problemOfFile({ path, content })).toBe(problem);
  });
});
