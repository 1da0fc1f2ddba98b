/**
 * `npm run lane -- image` builds the container image on a base of Debian's packages and npm's Node,
 * and runs it as tools/image/compose.yaml says: not as root, on a read-only root, over TLS with a
 * token.
 * It needs root and Debian's packages. Without them its last line says that it was not run.
 */
import { execFileSync } from "node:child_process";
import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTally } from "../crash/tally.ts";
import { importBase } from "./base.ts";
import { NAME } from "./containers.ts";
import { type Docker, startDocker } from "./docker.ts";
import { findDocker } from "./docker-programs.ts";
import { playImage } from "./story.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RUN_MS_MAX = 900_000;
const USER = 10_001;

const tally = openTally();
const folder = mkdtempSync(join(tmpdir(), "hearth-image-"));
let docker: Docker | null = null;

const finish = async (lastLine: string, code: number): Promise<never> => {
  if (docker !== null) {
    const all = docker.attempt("ps", "--all", "--quiet").output.split("\n").filter(Boolean);
    if (all.length > 0) docker.attempt("rm", "--force", "--volumes", ...all);
    await docker.stop();
  }
  // A daemon that had only begun to start may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  console.log(lastLine);
  process.exit(code);
};
const finishCounted = (): Promise<never> =>
  finish(`${tally.passed} passed, ${tally.failed} failed`, tally.isGreen ? 0 : 1);
const fail = (error: unknown): Promise<never> => {
  const wrong = [error instanceof Error ? error.message : String(error)];
  tally.report([{ name: "the run comes to its end", wrong }]);
  return finishCounted();
};

const makeCertificate = (place: string): void => {
  mkdirSync(place);
  const [cert, key] = [join(place, "cert.pem"), join(place, "key.pem")];
  const subject = ["-subj", `/CN=${NAME}`, "-addext", `subjectAltName=DNS:${NAME}`];
  const words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject];
  execFileSync("openssl", [...words, "-keyout", key, "-out", cert], { stdio: "ignore" });
  for (const file of [place, cert, key]) chownSync(file, USER, USER);
};

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void fail(new Error(signal)));
setTimeout(() => void fail(new Error("it takes too long")), RUN_MS_MAX);

const programs = await findDocker();
if (typeof programs === "string") throw await finish(`not run: ${programs}`, 0);

try {
  execFileSync(process.execPath, ["tools/packaging/build.ts"], { cwd: ROOT, stdio: "inherit" });
  docker = await startDocker(programs, folder);
  console.log(`Docker with ${docker.driver}`);
  if (!(await importBase(docker, folder, "hearth-base")))
    await finish("not run: Debian's packages cannot be fetched", 0);
  const tls = join(folder, "tls");
  makeCertificate(tls);
  copyFileSync(new URL("stack.yaml", import.meta.url), join(tls, "stack.yaml"));
  await playImage({ docker, root: ROOT, tls }, tally);
  await finishCounted();
} catch (error) {
  await fail(error);
}
