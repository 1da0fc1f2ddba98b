/**
 * Binds a stored template, whatever it contains. A definition that today's rules refuse keeps its
 * name, so that its rows can be listed, exported and deleted. Nothing else of it is bound: a visit
 * must not mistake an unreadable definition for what the user wants.
 */
import { RequestError, unlessRefused } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { binding, finished, linking } from "#lib/template/bind/bind.ts";
import { readDeletionPolicy } from "#lib/template/bind/definitions.ts";
import type { Faults } from "#lib/template/faults.ts";
import { formatOf } from "#lib/template/format.ts";
import { member, oversize, sectionOf } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import type {
  OutputDefinition,
  ParsedTemplate,
  ResourceDefinition,
  Template,
} from "#lib/template/template.ts";
import type { TurnPorts } from "../in-turns.ts";
import { bindSource, givenBy } from "./bind-source.ts";
import type { TemplateSource } from "./template-record.ts";

const LEFT_OUT: Faults = { note: () => {}, settle: () => {} };

type Values = ReadonlyMap<string, Json>;

export const bindStored = async (
  ports: TurnPorts,
  source: TemplateSource,
  parsed: ParsedTemplate,
  parameters: Values,
  former: Template | undefined,
): Promise<Template> => {
  try {
    const { template } = await bindSource(ports, source, parameters, async () => null, { former });
    return template;
  } catch (failure) {
    if (!(failure instanceof RequestError)) throw failure;
    return bindAnyhow(source, parsed, parameters, failure.message);
  }
};

const bindAnyhow = (
  source: TemplateSource,
  parsed: ParsedTemplate,
  parameters: Values,
  why: string,
): Template => {
  const isTooLarge = oversize(parsed.source) !== null;
  for (const attempt of isTooLarge ? [] : [parsed, withoutConditions(parsed)]) {
    const read = readable(source, attempt, parameters);
    if (read !== null) return completed(parsed, read, why);
  }
  return completed(parsed, { resources: new Map(), outputs: new Map() }, why);
};

type Bound = Pick<Template, "resources" | "outputs">;

const readable = (
  source: TemplateSource,
  parsed: ParsedTemplate,
  parameters: Values,
): Bound | null => {
  const scope = { ...givenBy(source, parsed), parameters, faults: LEFT_OUT };
  return unlessRefused(() => finished(linking(finished(binding(parsed, scope)))));
};

const withoutConditions = (parsed: ParsedTemplate): ParsedTemplate => {
  const { sections, resource, output } = formatOf(parsed.version);
  const kept = (section: string, word: string | null): JsonObject =>
    mapOf(
      Object.entries(sectionOf(parsed.source, section)).filter(
        ([, body]) => isJsonObject(body) && (word === null || !Object.hasOwn(body, word)),
      ),
    );
  const { conditions } = sections;
  const unconditional = {
    [sections.resources]: kept(sections.resources, resource.condition),
    [sections.outputs]: kept(sections.outputs, output.condition),
  };
  const none = conditions === null ? null : { [conditions]: {} };
  const source = mergedMaps<Json>(parsed.source, unconditional, none);
  return { ...parsed, source };
};

const completed = (parsed: ParsedTemplate, read: Bound, why: string): Template => {
  const { sections } = formatOf(parsed.version);
  const unread = new Set<string>();
  const resources = new Map<string, ResourceDefinition>();
  for (const [name, body] of Object.entries(sectionOf(parsed.source, sections.resources))) {
    const known = read.resources.get(name);
    if (known === undefined) unread.add(name);
    resources.set(name, known ?? unreadDefinition(parsed, name, body));
  }
  const outputs = Object.keys(sectionOf(parsed.source, sections.outputs)).map(
    (name): [string, OutputDefinition] => [name, read.outputs.get(name) ?? unreadOutput(name, why)],
  );
  const first = parsed.unread?.why ?? why;
  const parameters = parsed.unread?.parameters ?? new Set<string>();
  return {
    ...parsed,
    resources,
    outputs: new Map(outputs),
    unread: { why: first, parameters, resources: unread },
  };
};

const unreadOutput = (name: string, why: string): OutputDefinition => ({
  name,
  value: null,
  description: "",
  unread: `This version cannot read the stored output: ${why}`,
});

const unreadDefinition = (
  { version }: ParsedTemplate,
  name: string,
  body: Json,
): ResourceDefinition => {
  const { resource } = formatOf(version);
  const written = isJsonObject(body) ? body : {};
  const policy = member(written, resource.deletionPolicy) ?? null;
  return {
    name,
    type: pythonText(member(written, resource.type) ?? ""),
    properties: {},
    dependsOn: [],
    metadata: {},
    // If it is unknown what the user wants, nothing is destroyed.
    deletionPolicy: unlessRefused(() => readDeletionPolicy(policy, version)) ?? "Retain",
    updatePolicy: {},
    externalId: null,
    description: "",
    requires: [],
  };
};
