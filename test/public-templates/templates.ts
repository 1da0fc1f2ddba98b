/** The public templates that the lane plays, by repository and path: templates.json. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";

const FILE = new URL("./templates.json", import.meta.url);

const Repository = z.strictObject({
  repository: z.string().regex(/^[^/]+\/[^/]+$/),
  /** The paths are those of this commit. */
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  templates: z.array(z.string()).min(1),
});

export interface PublicTemplate {
  /** `owner/name/path` */
  readonly id: string;
  readonly path: string;
}

/** `folder` has each repository as `owner/name`. Throws a sentence that says what is missing. */
export const publicTemplates = (folder: string, file: URL = FILE): readonly PublicTemplate[] => {
  const repositories = z.array(Repository).parse(parseJson(readFileSync(file, "utf8")));
  return repositories.flatMap(({ repository, commit, templates }) => {
    if (!existsSync(join(folder, repository))) {
      throw new Error(`there is no ${join(folder, repository)}: check out commit ${commit}`);
    }
    return templates.map((template) => {
      const path = join(folder, repository, template);
      if (!existsSync(path)) throw new Error(`there is no ${path}: check out commit ${commit}`);
      return { id: `${repository}/${template}`, path };
    });
  });
};
