import { search } from "./search.ts";

/** All mutants show in shorter lives than the search of the unchanged engine has. */
const REQUESTS = 4;

export const hunt = async (): Promise<string | null> =>
  (await search("machine", REQUESTS)).violation ?? (await search("disk", REQUESTS)).violation;
