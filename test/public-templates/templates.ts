import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "#lib/json.ts";

const FILE = new URL("./templates.json", import.meta.url);
const PACKAGES_FILE = new URL("./packages.json", import.meta.url);

const Repository = z.strictObject({
  repository: z.string().regex(/^[^/]+\/[^/]+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  templates: z.array(z.string()).min(1),
});

const Package = z.strictObject({
  package: z.string(),
  version: z.string(),
  templates: z.array(z.string()).min(1),
});

export interface PublicTemplate {
  readonly id: string;
  readonly path: string;
}

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

export const packagedTemplates = (folder: string): readonly PublicTemplate[] => {
  const packages = z.array(Package).parse(parseJson(readFileSync(PACKAGES_FILE, "utf8")));
  return packages.flatMap(({ package: name, version, templates }) =>
    templates.map((id) => {
      const path = join(folder, id);
      if (!existsSync(path)) throw new Error(`there is no ${path}: install ${name}==${version}`);
      return { id, path };
    }),
  );
};
