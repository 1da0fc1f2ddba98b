/** What is bundled with an engine that has a mutant's edit in it: the search finds it. */
import { search } from "./search.ts";

/** All mutants show in shorter lives than the search of the engine as it is. */
const REQUESTS = 4;

export const hunt = async (): Promise<string | null> =>
  (await search("machine", REQUESTS)).violation ?? (await search("disk", REQUESTS)).violation;
