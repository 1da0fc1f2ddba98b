/**
 * `npm run lane -- assess` compares what `hearth template assess` says of each HOT file of
 * openstack/heat-templates with what happens when the file is created with existing machines in
 * memory. HEARTH_HEAT_TEMPLATES names a checkout. `--only TEXT` selects by path.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { localTypes } from "#host/plugins/plugin-types.ts";
import { type Assessment, assessTemplate } from "#lib/authoring/assess.ts";
import { withPlaceholders } from "#lib/authoring/placeholders.ts";
import { newSource } from "#lib/engine/stacks/target-source.ts";
import { type JsonObject, mergedMaps } from "#lib/json.ts";
import { chosenBy } from "#test/lanes/chosen.ts";
import { CommandFailed } from "../../apps/cli/failure.ts";
import { templatesAt } from "../../apps/cli/template/assess.ts";
import { collectFiles } from "../../apps/cli/template/files.ts";
import { allowed, EXISTING_MACHINES, inventoryName } from "../../apps/cli/template/named-files.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { ENVIRONMENTS, plausible } from "./values.ts";

const IS_HOT = /^\uFEFF?["']?heat_template_version["']?\s*:/m;
const MACHINES = 20;
const INVENTORY_FILE = "inventory.json";

const { values } = parseArgs({ options: { only: { type: "string" } } });

const INVENTORY = {
  machines: Array.from({ length: MACHINES }, (_, index) => ({
    name: `machine-${index + 1}`,
    address: `192.0.2.${index + 1}`,
  })),
  servers: [{ server: "*", machine: "*" }],
};

const hotFiles = (checkout: string): readonly string[] => {
  const seen = new Set<string>();
  return templatesAt(checkout).templates.filter((file) => {
    const text = readFileSync(file, "utf8");
    const digest = createHash("sha256").update(text).digest("hex");
    if (!IS_HOT.test(text) || seen.has(digest)) return false;
    seen.add(digest);
    return true;
  });
};

interface Told {
  readonly status: Assessment["status"];
  readonly why: string;
}

const assess = async (file: string, types: ReturnType<typeof localTypes>): Promise<Told> => {
  try {
    const { environment_files, ...request } = collectFiles(
      file,
      [EXISTING_MACHINES],
      allowed(true),
    );
    const given = { ...request, environmentFiles: environment_files, parameters: {} };
    const { status, error, resources } = await assessTemplate(types, given);
    const missing = resources.filter((one) => one.status === "missing").map(({ type }) => type);
    return { status, why: error ?? [...new Set(missing)].join(", ") };
  } catch (error) {
    if (error instanceof CommandFailed) return { status: "refused", why: error.message };
    throw error;
  }
};

const environmentOf = (file: string, folder: string): readonly string[] => {
  const found = [...ENVIRONMENTS].find(([ending]) => file.endsWith(`/${ending}`));
  if (found === undefined) return [];
  const [, { types, defaults }] = found;
  const paths = Object.entries(types).map(([type, beside]) => [type, join(dirname(file), beside)]);
  const content = { resource_registry: Object.fromEntries(paths), parameter_defaults: defaults };
  const environment = join(folder, "environment.json");
  writeFileSync(environment, JSON.stringify(content));
  return [environment];
};

const requestOf = async (file: string, folder: string): Promise<JsonObject> => {
  const inventory = inventoryName(join(folder, INVENTORY_FILE));
  const own = environmentOf(file, folder);
  const inputs = collectFiles(file, [EXISTING_MACHINES, inventory, ...own], allowed(true));
  const { environment_files, ...request } = inputs;
  const given = { ...request, environmentFiles: environment_files, parameters: {} };
  const source = await newSource({}, given);
  const filled = withPlaceholders(source).source.environment.parameters;
  const parameters = mergedMaps(filled, plausible(filled));
  return { ...inputs, environment_files: [...environment_files], parameters };
};

const happens = async (file: string, folder: string): Promise<Outcome> => {
  try {
    return await outcomeOf(await requestOf(file, folder));
  } catch (error) {
    if (error instanceof CommandFailed) return { end: "refused", why: error.message, signals: 0 };
    throw error;
  }
};

const difference = (told: Told, { end, why }: Outcome): string | null => {
  const runs = told.status === "runs" || told.status === "ignores";
  if (runs) return end === "gone" ? null : `${end}: ${why}`;
  return end === "gone" ? "was created all the same" : null;
};

const given = process.env["HEARTH_HEAT_TEMPLATES"] ?? "";
const checkout = resolve(given);

const playAll = async (folder: string): Promise<number> => {
  writeFileSync(join(folder, INVENTORY_FILE), JSON.stringify(INVENTORY));
  const types = localTypes();
  const counts = new Map<Told["status"], number>();
  let failed = 0;
  let waited = 0;
  const files = chosenBy(values.only, hotFiles(checkout), (file) => relative(checkout, file));
  for (const file of files) {
    const told = await assess(file, types);
    const outcome = await happens(file, folder);
    counts.set(told.status, (counts.get(told.status) ?? 0) + 1);
    if (outcome.signals > 0) waited += 1;
    const wrong = difference(told, outcome);
    if (wrong !== null) failed += 1;
    console.log(
      `${wrong === null ? "ok    " : "FAILED"} ${told.status} ${relative(checkout, file)}`,
    );
    for (const text of [told.why, wrong ?? ""]) if (text !== "") console.log(`         ${text}`);
  }
  const count = (status: Told["status"]): number => counts.get(status) ?? 0;
  console.log(
    `${files.length} HOT files: ${count("runs")} run, ${count("ignores")} run and ignore some of it, ` +
      `${count("missing")} cannot run, ${count("refused")} are refused; ${waited} waited for signals`,
  );
  console.log(`${files.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
};

if (given === "") {
  console.log("not run: HEARTH_HEAT_TEMPLATES names no checkout of openstack/heat-templates");
} else {
  const folder = mkdtempSync(join(tmpdir(), "hearth-assess-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  process.exitCode = await playAll(folder);
}
