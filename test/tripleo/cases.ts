import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export interface Case {
  readonly id: string;
  readonly root: string;
  readonly environments: readonly string[];
}

const EXTENSION = /\.(?:ya?ml|template|json)$/;
const IS_TEMPLATE =
  /^[\s{]*["']?(?:heat_template_version|HeatTemplateFormatVersion|AWSTemplateFormatVersion)\b/m;
const IS_ENVIRONMENT = /^(?:resource_registry|parameter_defaults|parameters) *:/m;
/** TripleO renders these files, and the rendered file is the case. */
const IS_SOURCE = /\.j2\.yaml$/;

interface TextFile {
  readonly path: string;
  readonly text: string;
}

const filesBelow = (folder: string): readonly TextFile[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && EXTENSION.test(entry.name) && !IS_SOURCE.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));

const isTemplate = ({ text }: TextFile): boolean => IS_TEMPLATE.test(text);

export const templateCases = (
  folder: string,
  name: string,
  environments: readonly string[],
): readonly Case[] =>
  filesBelow(folder)
    .filter(isTemplate)
    .map(({ path }) => ({ id: `${name}/${relative(folder, path)}`, root: path, environments }));

/**
 * Each template of TripleO alone and with TripleO's registry, and each environment over the whole
 * overcloud. `folder` contains the rendered files.
 */
export const tripleoCases = (folder: string): readonly Case[] => {
  const registry = join(folder, "overcloud-resource-registry-puppet.yaml");
  const overcloud = join(folder, "overcloud.yaml");
  const alone = templateCases(folder, "tripleo", []);
  const environments = filesBelow(folder).filter(
    (file) => !isTemplate(file) && IS_ENVIRONMENT.test(file.text) && file.path !== registry,
  );
  return [
    ...alone,
    ...alone.map(({ id, root }) => ({ id: `${id}+registry`, root, environments: [registry] })),
    ...environments.map(({ path }) => ({
      id: `tripleo/overcloud.yaml+${relative(folder, path)}`,
      root: overcloud,
      environments: [registry, path],
    })),
  ];
};
