/**
 * `npm run lane -- software`: openstack/heat-templates' software templates on existing machines,
 * with OpenStack's unmodified agents and the tools of their hooks. HEARTH_HEAT_TEMPLATES names a
 * checkout. It needs root and Debian's packages. `--only TEXT` selects templates by path. Its last
 * line has the counts, or says why it was not run.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chosenBy } from "#test/lanes/chosen.ts";
import { makeImage } from "./image.ts";
import { PLAYED } from "./templates.ts";

const DATA = fileURLToPath(new URL("../../.data", import.meta.url));
const PLAY = fileURLToPath(new URL("./play.ts", import.meta.url));

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });

const succeeds = (program: string, ...words: readonly string[]): boolean =>
  spawnSync(program, words).status === 0;

/** As machine.ts uses them, in namespaces that end at once. */
const PROBE = `set -e
mount -t tmpfs probe /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay probe -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
`;

const whyNot = (checkout: string): string | null => {
  if (checkout === "") return "HEARTH_HEAT_TEMPLATES names no checkout of openstack/heat-templates";
  if (!existsSync(join(checkout, "hot"))) return `${checkout} is no checkout of heat-templates`;
  if (process.getuid?.() !== 0) return "machines in namespaces need root";
  if (!succeeds("sh", "-c", "command -v apt-get")) return "the tools are packages of Debian";
  const isolation = ["--mount", "--pid", "--uts", "--fork"];
  const canLayer = succeeds("unshare", ...isolation, "sh", "-c", PROBE);
  return canLayer ? null : "no layer can be laid over this system's files";
};

const play = async (checkout: string): Promise<number> => {
  chosenBy(values.only, PLAYED, ({ file }) => file);
  mkdirSync(DATA, { recursive: true });
  const archive = await makeImage(DATA);
  const isolation = ["--mount", "--fork", "--kill-child=SIGTERM"];
  const words = [...isolation, process.execPath, PLAY, checkout, archive, values.only];
  const child = spawn("unshare", words, { stdio: ["ignore", "inherit", "inherit"] });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => child.kill(signal));
  }
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
};

const { HEARTH_HEAT_TEMPLATES: given = "" } = process.env;
const checkout = given === "" ? "" : resolve(given);
const why = whyNot(checkout);
if (why === null) process.exitCode = await play(checkout);
else console.log(`not run: ${why}`);
