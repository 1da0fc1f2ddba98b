import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { unpackPackages } from "../debian/packages.ts";
import type { Docker } from "./docker.ts";

const PACKAGES = ["libstdc++6", "busybox-static"];
const COMMANDS = ["sh", "ln", "mkdir", "chown", "chmod", "id", "touch", "cat", "env", "rm"];

export const importBase = async (
  docker: Docker,
  folder: string,
  image: string,
): Promise<boolean> => {
  const root = join(folder, "root");
  mkdirSync(root);
  if (!(await unpackPackages(root, ...PACKAGES))) return false;
  for (const place of ["usr/local/bin", "usr/bin", "etc", "tmp", "var/lib", "run"])
    mkdirSync(join(root, place), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  for (const name of COMMANDS) symlinkSync("/bin/busybox", join(root, "usr/local/bin", name));
  symlinkSync("/bin/busybox", join(root, "bin/sh"));
  symlinkSync("/bin/busybox", join(root, "usr/bin/env"));
  const node = join(root, "usr/local/bin/node");
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  const archive = join(folder, "root.tar");
  execFileSync("tar", ["-C", root, "-cf", archive, "."]);
  docker.run("import", "--change", "ENV PATH=/usr/local/bin:/usr/bin:/bin", archive, image);
  return true;
};
