/**
 * The clients, unmodified: `openstack`, openstacksdk and python-heatclient from the Python package
 * index, gophercloud from Go's proxy. They are installed once and kept.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACKAGES = [
  "python-openstackclient==10.5.0",
  "python-heatclient==5.3.0",
  "openstacksdk==4.22.0",
];
const INSTALL_MS_MAX = 600_000;
const GO_FOLDER = fileURLToPath(new URL("gophercloud", import.meta.url));

const run = promisify(execFile);

export const installPython = async (home: string): Promise<string> => {
  const mark = join(home, PACKAGES.join("+"));
  const options = { timeout: INSTALL_MS_MAX };
  if (!existsSync(mark)) {
    await run("python3", ["-m", "venv", home], options);
    const quiet = ["--quiet", "--disable-pip-version-check"];
    await run(join(home, "bin", "pip"), ["install", ...quiet, ...PACKAGES], options);
    writeFileSync(mark, "");
  }
  return join(home, "bin", "python");
};

export const hasGo = (): Promise<boolean> =>
  run("go", ["version"]).then(
    () => true,
    () => false,
  );

export const buildGo = async (home: string): Promise<string | null> => {
  const program = join(home, "gophercloud");
  mkdirSync(home, { recursive: true });
  if (!(await hasGo())) return null;
  await run("go", ["build", "-o", program, "."], { cwd: GO_FOLDER, timeout: INSTALL_MS_MAX });
  return program;
};
