/**
 * Records that must survive the agent's death, as files under its root folder:
 * - `deployed/ID.json` is written before a script starts, so the id is never started again.
 * - `results/ID.json` is written before the signal is sent, so no failure to send loses the result.
 * - `running/ID` contains the process id of the running script.
 * - `ended` lists former runs that no document names any more.
 * - `metadata-urls.json` contains the owner's URL, and the one that the engine named last.
 * - `runs.jsonl` has one line per run, for people and tests.
 * They contain signed URLs and outputs, so only the owner may read them. A result's outputs are
 * removed when the engine has them.
 */
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createDurably, replaceDurably, syncFolder, syncNameOf } from "./durable-file.ts";
import { type Fields, isFields, jsonText, parseFields, textOf } from "./json.ts";

export interface SignalTarget {
  readonly url: string;
  readonly verb: "PUT" | "POST";
  /**
   * Whether the agent may ask for an upload URL. An engine that knows progress but no uploads would
   * treat the request as progress.
   */
  readonly takesUploads: boolean;
}

export interface StartedRun {
  readonly id: string;
  readonly name: string;
  readonly deployment: string;
  readonly action: string;
  readonly startedAt: string;
  readonly signal: SignalTarget | null;
}

/** PENDING results are sent until they arrive. REFUSED ones got a 4xx, so repeating is useless. */
const DELIVERIES = ["PENDING", "ACKNOWLEDGED", "REFUSED", "NOT_WANTED"] as const;
export type Delivery = (typeof DELIVERIES)[number];

export interface RunResult {
  readonly run: StartedRun;
  readonly body: Fields;
  readonly delivery: Delivery;
}

export interface Records {
  readonly isStarted: (id: string) => boolean;
  readonly start: (run: StartedRun) => boolean;
  readonly saveResult: (result: RunResult) => void;
  readonly logRun: (run: StartedRun, exitCode: number | null) => void;
  readonly namedUrl: (owners: string) => string | null;
  readonly saveNamedUrl: (owners: string, named: string) => void;
  readonly interrupted: () => readonly StartedRun[];
  readonly undelivered: () => readonly RunResult[];
  /** Call it while nothing runs. Runs neither `named` nor `unsent` keep only their ids. */
  readonly forget: (named: Ids, unsent: Ids) => void;
}

const RUNS_BYTES_MAX = 1_048_576;

const FOLDERS = ["deployed", "results", "running", "scripts", "outputs", "logs"] as const;

const WRITABLE_FOR_OTHERS = 0o022;

/**
 * Anyone who can write to the folder decides what this user runs, and a link could lead to a folder
 * of somebody else. So both are refused.
 */
const ownFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const isOwn = found.uid === process.getuid?.() && (found.mode & WRITABLE_FOR_OTHERS) === 0;
  if (!found.isDirectory() || !isOwn) {
    throw new Error(`${path} must be a folder that only the user of the agent owns and can write`);
  }
};

/** Syncs the new folders too: a record is lost if the name of its folder is lost. */
const makeFolders = (root: string): void => {
  const outermost = mkdirSync(root, { recursive: true, mode: 0o700 }) ?? root;
  ownFolder(root);
  for (const folder of FOLDERS) ownFolder(join(root, folder));
  syncFolder(root);
  for (let made = root; made.length >= outermost.length; made = dirname(made)) syncNameOf(made);
};

export const openRecords = (root: string): Records => {
  makeFolders(root);
  const pathOf = (folder: (typeof FOLDERS)[number], id: string) => join(root, folder, `${id}.json`);
  const readAll = (folder: (typeof FOLDERS)[number]) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith(".json"))
      .map((file) => parseFields(readFileSync(join(root, folder, file), "utf8")))
      .filter((fields) => fields !== null);
  const urlsPath = join(root, "metadata-urls.json");
  const runsPath = join(root, "runs.jsonl");
  const saveResult = (result: RunResult) => {
    const body = isOpen(result) ? result.body : {};
    replaceDurably(pathOf("results", result.run.id), jsonText({ ...result, body }));
  };
  const start = (run: StartedRun) => createDurably(pathOf("deployed", run.id), JSON.stringify(run));
  return {
    namedUrl: (owners) => {
      const urls = existsSync(urlsPath) ? parseFields(readFileSync(urlsPath, "utf8")) : null;
      return urls?.["owners"] === owners ? textOf(urls, "named") || null : null;
    },
    saveNamedUrl: (owners, named) => replaceDurably(urlsPath, JSON.stringify({ owners, named })),
    isStarted: (id) => {
      if (existsSync(pathOf("deployed", id))) return true;
      const run = endedIds(root).has(id) ? readRun({ id }) : null;
      if (run === null) return false;
      // The result is written first: a start without a result would look like an interrupted run.
      saveResult({ run, body: {}, delivery: "ACKNOWLEDGED" });
      start(run);
      return true;
    },
    start,
    saveResult,
    logRun: (run, exitCode) => {
      const line = {
        deployment: run.deployment,
        action: run.action,
        exit_code: exitCode,
        derived_id: run.id,
        started_at: run.startedAt,
        ended_at: new Date().toISOString(),
      };
      if (existsSync(runsPath) && statSync(runsPath).size > RUNS_BYTES_MAX)
        renameSync(runsPath, join(root, "runs.1.jsonl"));
      appendFileSync(runsPath, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    },
    interrupted: () =>
      readAll("deployed")
        .map(readRun)
        .filter((run) => run !== null)
        .filter((run) => !existsSync(pathOf("results", run.id))),
    undelivered: () =>
      readAll("results")
        .map(readResult)
        .filter((result) => result !== null)
        .filter(isOpen),
    forget: (named, unsent) => forgetRuns(root, named, unsent),
  };
};

const isOpen = ({ delivery }: RunResult): boolean =>
  delivery === "PENDING" || delivery === "REFUSED";

const readRun = (fields: Fields): StartedRun | null => {
  const id = textOf(fields, "id");
  if (id === "") return null;
  const signal = fields["signal"];
  return {
    id,
    name: textOf(fields, "name"),
    deployment: textOf(fields, "deployment"),
    action: textOf(fields, "action"),
    startedAt: textOf(fields, "startedAt"),
    signal: isFields(signal)
      ? signalTarget(textOf(signal, "url"), textOf(signal, "verb"), signal["takesUploads"] === true)
      : null,
  };
};

export const signalTarget = (url: string, verb: string, takesUploads: boolean): SignalTarget => ({
  url,
  verb: verb === "PUT" ? "PUT" : "POST",
  takesUploads,
});

const readResult = (fields: Fields): RunResult | null => {
  const run = isFields(fields["run"]) ? readRun(fields["run"]) : null;
  const body = fields["body"];
  if (run === null || !isFields(body)) return null;
  const delivery = DELIVERIES.find((known) => known === fields["delivery"]);
  return { run, body, delivery: delivery ?? "ACKNOWLEDGED" };
};

type Ids = Pick<ReadonlySet<string>, "has">;

const ENDED_MAX = 10_000;

const endedPath = (root: string): string => join(root, "ended");

const endedIds = (root: string): Set<string> => {
  const path = endedPath(root);
  return new Set(existsSync(path) ? readFileSync(path, "utf8").split("\n") : []);
};

const idIn = (file: string): string => file.replace(/\..*/, "");

/**
 * Removes what is left of runs that no document names any more, but keeps their ids in the file
 * `ended`. An empty document or a restored engine may name such an id again later, and then it must
 * not run again. The ids are on the disk before anything else is removed, so a crash loses none of
 * them.
 */
const forgetRuns = (root: string, named: Ids, unsent: Ids): void => {
  // Outputs can always go: the result contains them.
  for (const folder of ["scripts", "outputs", "logs"])
    for (const file of readdirSync(join(root, folder)))
      if (folder === "outputs" || !named.has(idIn(file)))
        rmSync(join(root, folder, file), { recursive: true, force: true });
  const over = readdirSync(join(root, "results"))
    .filter((file) => file.endsWith(".json"))
    .map(idIn)
    .filter((id) => !named.has(id) && !unsent.has(id));
  if (over.length === 0) return;
  const ids = endedIds(root);
  for (const id of over) ids.delete(id);
  replaceDurably(endedPath(root), [...ids, ...over].slice(-ENDED_MAX).join("\n"));
  // A start record without a result would look like a run that the agent's death interrupted.
  for (const folder of ["deployed", "results"]) {
    for (const id of over) rmSync(join(root, folder, `${id}.json`), { force: true });
    syncFolder(join(root, folder));
  }
};
