/** Images without a registry: Debian's packages, fetched by name, and npm's Node. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Engine, isSuccess, messageOf } from "#providers/docker/engine/client.ts";
import { unpackPackages } from "../debian/packages.ts";
import { BARE_IMAGE, IMAGE } from "./provider-play.ts";

/** The libraries of Node, a shell with commands, and sshd, as servers of clouds have them. */
const PACKAGES = ["libstdc++6", "busybox-static", "bash", "openssh-server"];
/** The packages' own scripts would write these files, but they do not run. */
const CONFIGURATION: Readonly<Record<string, string>> = {
  "etc/passwd": "root:x:0:0::/root:/bin/sh\nsshd:x:101:65534::/run/sshd:/bin/false\n",
  "etc/group": "root:x:0:\nnogroup:x:65534:\n",
  "etc/ssh/sshd_config": "PermitRootLogin prohibit-password\n",
};
const FOLDERS = [
  "usr/local/bin",
  "usr/bin",
  "bin",
  "etc",
  "tmp",
  "var/lib",
  "root",
  "proc",
  "sys",
  "dev",
];
const IMPORT_MS_MAX = 120_000;
const PAGE_IMAGE = "node:22-slim";

const tarOf = (root: string, file: string): void => {
  execFileSync("tar", ["-C", root, "-cf", file, "."]);
};

export const layOutRoot = async (
  folder: string,
  packages: readonly string[],
): Promise<string | null> => {
  const root = join(folder, "root");
  mkdirSync(root);
  if (!(await unpackPackages(root, ...packages))) return null;
  for (const place of FOLDERS) mkdirSync(join(root, place), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  const busybox = join(root, "bin/busybox");
  const commands = execFileSync(busybox, ["--list"], { encoding: "utf8" }).split("\n");
  for (const command of commands.filter(Boolean)) {
    const path = join(root, "bin", command);
    if (!existsSync(path)) symlinkSync("busybox", path);
  }
  tarOf(root, join(folder, "bare.tar"));
  return root;
};

export const buildImages = async (folder: string): Promise<boolean> => {
  const root = await layOutRoot(folder, PACKAGES);
  if (root === null) return false;
  const node = join(root, "usr/local/bin/node");
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  mkdirSync(join(root, "etc/ssh"), { recursive: true });
  for (const [path, text] of Object.entries(CONFIGURATION)) writeFileSync(join(root, path), text);
  tarOf(root, join(folder, "node.tar"));
  return true;
};

const partsOf = (image: string) => {
  const [repo = "", tag = ""] = image.split(":");
  return { repo, tag };
};

const importOne = async (engine: Engine, file: string, image: string): Promise<void> => {
  const query = { fromSrc: "-", ...partsOf(image) };
  const tar = readFileSync(file);
  const path = "/images/create";
  const answer = await engine.ask({ method: "POST", path, query, tar, limitMs: IMPORT_MS_MAX });
  if (!isSuccess(answer)) throw new Error(`${image} was not imported: ${messageOf(answer)}`);
};

const tag = (engine: Engine, from: string, to: string) =>
  engine.ask({ method: "POST", path: `/images/${from}/tag`, query: partsOf(to) });

export const importImages = async (engine: Engine, folder: string): Promise<void> => {
  for (const [file, image] of [
    ["bare.tar", BARE_IMAGE],
    ["node.tar", IMAGE],
  ] as const) {
    await importOne(engine, join(folder, file), image);
    // Podman 4.3 imports the image without its tag.
    await tag(engine, `${partsOf(image).repo}:latest`, image);
  }
  const tagged = await tag(engine, IMAGE, PAGE_IMAGE);
  if (!isSuccess(tagged)) throw new Error(`no ${PAGE_IMAGE}: ${messageOf(tagged)}`);
};
