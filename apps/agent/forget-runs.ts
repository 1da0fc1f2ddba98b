/**
 * Removes what is left of runs that no document names any more, but keeps their ids in the file
 * `ended`. An empty document or a restored engine may name such an id again later, and then it must
 * not run again. The ids are on the disk before anything else is removed, so a crash loses none of
 * them.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceDurably, syncFolder } from "./durable-file.ts";

export type Ids = Pick<ReadonlySet<string>, "has">;

const ENDED_MAX = 10_000;

const endedPath = (root: string): string => join(root, "ended");

export const endedIds = (root: string): Set<string> => {
  const path = endedPath(root);
  return new Set(existsSync(path) ? readFileSync(path, "utf8").split("\n") : []);
};

const idIn = (file: string): string => file.replace(/\..*/, "");

export const forgetRuns = (root: string, named: Ids, unsent: Ids): void => {
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
