/**
 * The test suites, unmodified, from the Python package index: Heat's own functional tests and the
 * plug-in of Tempest. They are installed once and kept between runs.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const HEAT_VERSION = "26.0.0";
const PLUGIN_VERSION = "3.0.0";
const PACKAGES = [
  `heat-tempest-plugin==${PLUGIN_VERSION}`,
  "tempest==47.0.0",
  "python-heatclient==5.3.0",
  "boto==2.49.0",
  "gabbi",
  "kombu",
  "testscenarios",
];
const INSTALL_MS_MAX = 300_000;

/**
 * Heat's package contains its functional tests. They need no other parts of Heat's installation.
 */
const HEAT = `openstack-heat==${HEAT_VERSION}`;

const run = promisify(execFile);

export interface Suites {
  readonly python: string;
  readonly modules: readonly string[];
  moduleTextOf(id: string): string;
}

const FOLDERS = [
  ["heat_integrationtests", "functional"],
  ["heat_tempest_plugin", "tests", "functional"],
  ["heat_tempest_plugin", "tests", "api"],
] as const;

const packagesIn = (home: string): string => {
  const lib = join(home, "lib");
  const [version = ""] = readdirSync(lib).filter((name) => name.startsWith("python3"));
  return join(lib, version, "site-packages");
};

/** The mark comes last, so that an interrupted installation is repeated. */
const install = async (home: string, mark: string): Promise<void> => {
  const options = { timeout: INSTALL_MS_MAX };
  await run("python3", ["-m", "venv", home], options);
  const pip = join(home, "bin", "pip");
  const install = ["install", "--quiet", "--disable-pip-version-check"];
  await run(pip, [...install, ...PACKAGES], options);
  await run(pip, [...install, "--no-deps", HEAT], options);
  writeFileSync(mark, "");
};

export const installSuites = async (home: string): Promise<Suites> => {
  const mark = join(home, `${HEAT_VERSION}-${PLUGIN_VERSION}`);
  if (!existsSync(mark)) await install(home, mark);
  const packages = packagesIn(home);
  const modules = FOLDERS.flatMap((folder) =>
    readdirSync(join(packages, ...folder))
      .filter((file) => /^test_.*\.py$/.test(file))
      .toSorted()
      .map((file) => [...folder, file.slice(0, -".py".length)].join(".")),
  );
  const moduleTextOf = (id: string): string => {
    const module = modules.find((one) => id.startsWith(`${one}.`));
    if (module === undefined) throw new Error(`no module has the test ${id}`);
    return readFileSync(join(packages, `${module.replaceAll(".", "/")}.py`), "utf8");
  };
  return { python: join(home, "bin", "python"), modules, moduleTextOf };
};
