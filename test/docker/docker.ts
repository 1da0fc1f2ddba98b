/**
 * `npm run lane -- docker`: a real Docker and a real Podman, each in namespaces that end with the
 * run. `--only docker` plays one of them, and `--kills` only the kills. It needs root and Debian's
 * packages. For each engine that cannot run here, a line says why.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installPackages } from "../debian/packages.ts";
import { findDocker, ISOLATION } from "../image/docker-programs.ts";
import { ENGINE_KINDS, type EngineKind } from "./engines.ts";
import { buildImages } from "./images.ts";

const PLAY = fileURLToPath(new URL("./play.ts", import.meta.url));
const { values } = parseArgs({
  options: { only: { type: "string" }, kills: { type: "boolean", default: false } },
});
const SSH = ["/usr/bin/ssh"];
const PODMAN = ["/usr/bin/podman", "/usr/bin/crun"];

/** The first process must reap orphans, because Docker counts a zombie as a running process. */
const REAPER = ["sh", "-c", '"$@"; exit $?', "sh"] as const;

const whyMissing = async (
  programs: readonly string[],
  ...packages: readonly string[]
): Promise<string | null> => {
  if (programs.every(existsSync)) return null;
  const isInstalled = (await installPackages(...packages)) && programs.every(existsSync);
  return isInstalled ? null : `Debian's packages ${packages.join(" and ")} are not to be had`;
};

const whyNot = async (kind: EngineKind): Promise<string | null> => {
  const docker = await findDocker();
  if (typeof docker === "string") return docker;
  const why = await whyMissing(SSH, "openssh-client");
  if (why !== null || kind === "docker") return why;
  return whyMissing(PODMAN, "podman", "crun");
};

const play = async (kind: EngineKind, folder: string): Promise<boolean> => {
  const part = values.kills ? ["kills"] : [];
  const words = [...ISOLATION, ...REAPER, process.execPath, PLAY, kind, folder, ...part];
  const child = spawn("unshare", words, { stdio: ["ignore", "inherit", "inherit"] });
  const end = (): void => void child.kill("SIGKILL");
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  const [code] = await once(child, "exit");
  return code === 0;
};

const kinds = ENGINE_KINDS.filter((kind) => values.only === undefined || values.only === kind);
if (kinds.length === 0) throw new Error(`--only is one of ${ENGINE_KINDS.join(", ")}`);

const folder = mkdtempSync(join(tmpdir(), "hearth-docker-"));
try {
  const hasImages = await buildImages(folder);
  for (const kind of kinds) {
    const why = hasImages ? await whyNot(kind) : "Debian's packages cannot be fetched";
    if (why !== null) console.log(`${kind}: not run: ${why}`);
    else if (!(await play(kind, folder))) process.exitCode = 1;
  }
} finally {
  // An engine that is just ending may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
}
