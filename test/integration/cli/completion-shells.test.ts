/** The completion scripts in the shells themselves. A shell that is not installed is skipped. */
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HEARTH } from "../../hearth-program.ts";
import { type FakeHeat, startFakeHeat } from "./fake-heat.ts";

const TEST_MS_MAX = 120_000;

let heat: FakeHeat;
let folder: string;

beforeAll(async () => {
  heat = await startFakeHeat();
  const stacks = ["app", "web"].map((name) => ({
    id: name,
    stack_name: name,
    stack_status: "CREATE_COMPLETE",
  }));
  heat.answerWith("GET /v1/demo/stacks?limit=1000", { stacks });
  folder = mkdtempSync(join(tmpdir(), "hearth-shells-"));
  const shim = `#!/bin/sh\nexec '${process.execPath}' '${HEARTH}' "$@"\n`;
  writeFileSync(join(folder, "hearth"), shim, { mode: 0o755 });
});

afterAll(async () => {
  await heat.close();
  rmSync(folder, { recursive: true });
});

const linesOf = async (shell: string, ...words: readonly string[]): Promise<readonly string[]> => {
  const env = {
    PATH: [folder, process.env["PATH"]].join(delimiter),
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    HEARTH_ENDPOINT: heat.endpoint,
  };
  const { stdout } = await promisify(execFile)(shell, words, { env, cwd: folder });
  return stdout.split("\n").filter(Boolean);
};

const BASH = `source <(hearth completion bash)
COMP_WORDS=(hearth "$@"); COMP_CWORD=$#; _hearth; printf '%s\\n' "\${COMPREPLY[@]}"`;

/**
 * Outside its line editor zsh cannot complete, so the functions that it would call print instead.
 */
const ZSH = `compdef() { :; }; _files() { print files; }; _describe() { print -rl -- "\${(@P)4}"; }
source <(hearth completion zsh)
words=(hearth "$@"); CURRENT=$#words; _hearth`;

const FISH = "hearth completion fish | source; complete -C (string join -- ' ' hearth $argv)";

const SHELLS = {
  bash: (words: readonly string[]) => linesOf("bash", "--norc", "-c", BASH, "bash", ...words),
  zsh: (words: readonly string[]) => linesOf("zsh", "-f", "-c", ZSH, "zsh", ...words),
  fish: (words: readonly string[]) => linesOf("fish", "--no-config", "-c", FISH, "--", ...words),
};

const isInstalled = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

const first = (line: string): string => line.split(/[:\t]/)[0] ?? "";

for (const [shell, complete] of Object.entries(SHELLS)) {
  describe.runIf(isInstalled(shell))(`in ${shell}`, { timeout: TEST_MS_MAX }, () => {
    it("a command, an option and a stack are completed", async () => {
      expect((await complete(["stack", "cre"])).map(first)).toEqual(["create"]);
      const options = await complete(["stack", "create", "--enable"]);
      expect(options.map(first)).toEqual(["--enable-rollback"]);
      expect((await complete(["stack", "delete", ""])).map(first)).toEqual(["app", "web"]);
    });

    it("without a host there are no names, and no error", async () => {
      const nowhere = ["--endpoint", "http://127.0.0.1:9", "stack", "create", "--enable"];
      expect((await complete(nowhere)).map(first)).toEqual(["--enable-rollback"]);
    });
  });
}
