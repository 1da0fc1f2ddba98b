/**
 * `npm run lane -- api`: Schemathesis makes valid and invalid requests from docs/api.yaml to an
 * embedded host that demands tokens. No answer may be 5xx, or differ from the document. `--cases
 * 5000` plays all of it, `--seconds 100` a part. It needs Python 3.10 or newer.
 */
import { execFile, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";
import { playLane } from "#test/lanes/play-lane.ts";
import { startHost } from "../crash/host-process.ts";
import { type Existing, type MadeStack, withRealNames } from "./real-names.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HOME = join(ROOT, ".data", "api", "python");
const PACKAGE = "schemathesis==4.32.5";
const INSTALL_MS_MAX = 600_000;
const TENANT = "demo";
/** A stream of events does not end, and Schemathesis reads only whole answers. */
const STREAM = "/_changes$";
/**
 * A request that fits its schema can be wrong, for example a template that names a missing
 * resource. And paths that match several patterns, such as `/stacks/detail`, allow the methods of
 * all of them.
 */
const NOT_CHECKED = "positive_data_acceptance,allow_header_conformance";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "5000" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
const count = z.coerce.number().int().positive();
const run = promisify(execFile);

/** The installation is kept between runs; only the first run needs a network. */
const install = async (): Promise<string> => {
  const mark = join(HOME, PACKAGE);
  if (!existsSync(mark)) {
    const options = { timeout: INSTALL_MS_MAX };
    await run(process.env["HEARTH_PYTHON"] ?? "python3", ["-m", "venv", HOME], options);
    const words = ["install", "--quiet", "--disable-pip-version-check", PACKAGE];
    await run(join(HOME, "bin", "pip"), words, options);
    writeFileSync(mark, "");
  }
  return join(HOME, "bin", "schemathesis");
};

const Token = z.looseObject({ token: z.looseObject({ token: z.string() }) });
const tokenIn = async (data: string): Promise<string> => {
  const cli = join(ROOT, "apps/cli/hearth.ts");
  const words = [cli, "token", "create", "--project", TENANT, "--data", data, "--json"];
  return Token.parse(parseJson((await run(process.execPath, words)).stdout)).token.token;
};

const TEMPLATE = {
  heat_template_version: "2021-04-16",
  resources: { thing: { type: "OS::Heat::TestResource", properties: { value: "a" } } },
  outputs: { out: { value: { get_attr: ["thing", "output"] } } },
};
const Made = z.looseObject({ stack: z.looseObject({ id: z.string() }) });
const Config = z.looseObject({ software_config: z.looseObject({ id: z.string() }) });

const makeThings = async (url: string, token: string): Promise<Existing> => {
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = { "X-Auth-Token": token };
    const options = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${url}/v1/${TENANT}/${path}`, options)).json();
  };
  const stack = async (stack_name: string): Promise<MadeStack> => {
    const made = Made.parse(await post("stacks", { stack_name, template: TEMPLATE }));
    return { stack_name, stack_id: made.stack.id };
  };
  const kept = await stack("kept");
  const victim = await stack("victim");
  const config = Config.parse(await post("software_configs", { name: "one", config: "true" }));
  const config_id = config.software_config.id;
  return { tenant: TENANT, kept, victim, resource_name: "thing", key: "out", config_id };
};

interface Played {
  readonly code: number | null;
  readonly cases: number;
}

const play = async (program: string, words: readonly string[], folder: string): Promise<Played> => {
  const child = spawn(program, words, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  let cases = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    cases = Number(/^ +(\d+) generated/.exec(line)?.[1] ?? cases);
  }
  return { code: await closed, cases };
};

const playAll = async (folder: string): Promise<boolean> => {
  const program = await install();
  const token = await tokenIn(join(folder, "data"));
  const host = startHost(folder, { HEARTH_LOG: "silent" }, ["--auth", "tokens"]);
  const url = await host.ready();
  const text = readFileSync(join(ROOT, "docs", "api.yaml"), "utf8");
  const file = join(folder, "api.yaml");
  writeFileSync(file, withRealNames(text, await makeThings(url, token)));
  const operations = text.match(/operationId:/g)?.length ?? 1;
  const each = Math.ceil(count.parse(values.cases) / operations);
  const bound = values.seconds === undefined ? [] : ["--max-time", values.seconds];
  const limits = ["--max-examples", String(each), "--seed", values.seed, ...bound];
  const checks = ["--exclude-checks", NOT_CHECKED, "--exclude-path-regex", STREAM];
  const how = ["--no-color", "--no-shrink", "--continue-on-failure", "--warnings", "off"];
  const to = ["--url", url, "--header", `X-Auth-Token: ${token}`];
  const { code, cases } = await play(
    program,
    ["run", file, ...to, ...limits, ...checks, ...how],
    folder,
  );
  const end = await host.stop();
  console.log(`${cases} cases: ${code === 0 && end === 0 ? "all as documented" : "FAILED"}`);
  return code === 0 && end === 0 && cases > operations;
};

await playLane("api", playAll);
