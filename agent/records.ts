/**
 * Records that must survive the agent's death, as files under its root folder:
 *
 * - `deployed/ID.json` is written before a script starts, so the id is never started again.
 * - `results/ID.json` is written before the signal is sent, so no failure to send loses the result.
 * - `running/ID` holds the process id of the running script.
 * - `runs.jsonl` has one line per run, for people and tests.
 *
 * They hold signed URLs and outputs, so only the owner may read them.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Fields, failureCode, isFields, jsonText, parseFields, textOf } from "./json.ts";

export interface SignalTarget {
  readonly url: string;
  readonly verb: "PUT" | "POST";
  /**
   * Whether the agent may ask for an upload URL. An engine that knows progress but no uploads takes
   * the request for progress.
   */
  readonly takesUploads: boolean;
}

export interface StartedRun {
  readonly id: string;
  readonly name: string;
  /** The deployment resource's name in its stack. */
  readonly deployment: string;
  readonly action: string;
  readonly startedAt: string;
  /** Null: no signal is wanted (NO_SIGNAL). */
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
  /** False: the id was started before, perhaps by another agent on the same folder. */
  readonly start: (run: StartedRun) => boolean;
  readonly saveResult: (result: RunResult) => void;
  readonly logRun: (run: StartedRun, exitCode: number | null) => void;
  /** Started runs without a result: the agent died while they ran. */
  readonly interrupted: () => readonly StartedRun[];
  /** PENDING and REFUSED results. */
  readonly undelivered: () => readonly RunResult[];
}

const FOLDERS = ["deployed", "results", "running", "scripts", "outputs", "logs"] as const;

const WRITABLE_FOR_OTHERS = 0o022;

/** Who can write there decides what this user runs. A link leads to whatever its owner wants. */
const ownFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const found = lstatSync(path);
  const isOwn = found.uid === process.getuid?.() && (found.mode & WRITABLE_FOR_OTHERS) === 0;
  if (!found.isDirectory() || !isOwn) {
    throw new Error(`${path} must be a folder that only the user of the agent owns and can write`);
  }
};

/** Makes the missing folders. A record in a folder whose own name is lost would be lost too. */
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
  return {
    isStarted: (id) => existsSync(pathOf("deployed", id)),
    start: (run) => createDurably(pathOf("deployed", run.id), JSON.stringify(run)),
    saveResult: (result) => replaceDurably(pathOf("results", result.run.id), jsonText(result)),
    logRun: (run, exitCode) => {
      const line = {
        deployment: run.deployment,
        action: run.action,
        exit_code: exitCode,
        derived_id: run.id,
        started_at: run.startedAt,
        ended_at: new Date().toISOString(),
      };
      appendFileSync(join(root, "runs.jsonl"), `${JSON.stringify(line)}\n`, { mode: 0o600 });
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
        .filter(({ delivery }) => delivery === "PENDING" || delivery === "REFUSED"),
  };
};

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

/** Any verb but PUT becomes POST, as with the stock notifier. */
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

const writeTemporary = (path: string, text: string): string => {
  const temporary = `${path}.${process.pid}`;
  const file = openSync(temporary, "w", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return temporary;
};

const syncFolder = (path: string): void => {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

/** The folder above may be one that only its owner can read. Then it cannot be synced. */
const syncNameOf = (path: string): void => {
  try {
    syncFolder(dirname(path));
  } catch (error) {
    if (failureCode(error) !== "EACCES") throw error;
  }
};

const replaceDurably = (path: string, text: string): void => {
  renameSync(writeTemporary(path, text), path);
  syncFolder(dirname(path));
};

/** Atomic and only once: unlike a rename, a link fails if the name is taken. */
const createDurably = (path: string, text: string): boolean => {
  const temporary = writeTemporary(path, text);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (failureCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  // A new name is durable only after its folder is synced too.
  syncFolder(dirname(path));
  return true;
};
