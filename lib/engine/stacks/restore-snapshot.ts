/** The verb restore: an update back to the target of a snapshot. */
import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { notSupported } from "#lib/errors.ts";
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { checkSource } from "#lib/stack/check/check-source.ts";
import { bindSource } from "#lib/stack/record/bind-source.ts";
import { checkedValues } from "#lib/stack/record/parameter-values.ts";
import { loadTemplate, type TemplateSource } from "#lib/stack/record/template-record.ts";
import { loadSnapshot, tagsOf } from "#lib/stack/stack-document.ts";
import { formatOf } from "#lib/template/format.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import type { Template } from "#lib/template/template.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { findSnapshot, stateOf } from "./snapshots.ts";
import { newSource, type TemplateRequest } from "./target-source.ts";
import { namesOf, refuseUpdate, saveTarget, withAdopted } from "./update-stack.ts";

type RestoreOptions = Pick<TemplateRequest, "templateBytesMax">;

/** The snapshot's target. Types insert their stored data into the properties. */
const restoredSource = async (
  ports: Ports,
  data: JsonObject,
  { templateBytesMax }: RestoreOptions,
): Promise<TemplateSource> => {
  const files = Object.entries(sectionOf(data, "files")).map(([name, text]): [string, string] => [
    name,
    String(text),
  ]);
  const source = await newSource(ports, {
    template: sectionOf(data, "template"),
    files: mapOf(files),
    environment: sectionOf(data, "environment"),
    environmentFiles: [],
    parameters: {},
    templateBytesMax,
  });
  const values = checkedValues(ports, parseTemplate(source.template), source.environment);
  const { template } = await bindSource(ports, source, values, async () => null);
  return { ...source, template: await restoreProperties(ports, template, data) };
};

const restoreProperties = async (
  ports: Ports,
  template: Template,
  data: JsonObject,
): Promise<JsonObject> => {
  const { sections, resource: words } = formatOf(template.version);
  const definitions = sectionOf(template.source, sections.resources);
  const found = [...template.resources.values()].map(
    async ({ name, type }): Promise<readonly [string, Json][]> => {
      const handleRestore = (await ports.resourceTypes.get(type))?.snapshots?.handleRestore;
      if (!handleRestore) return [];
      const resourceData = sectionOf(data, "resources", name, "resource_data");
      const definition = sectionOf(definitions, name);
      const properties = handleRestore(sectionOf(definition, words.properties), resourceData);
      return [[name, mergedMaps(definition, { [words.properties]: properties })]];
    },
  );
  const restored = (await Promise.all(found)).flat();
  if (restored.length === 0) return template.source;
  return mergedMaps(template.source, {
    [sections.resources]: mergedMaps(definitions, mapOf(restored)),
  });
};

export const restoreSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  id: string,
  options: RestoreOptions = {},
): Promise<Stack> => {
  const stack = await findLivingStack(ports, identity);
  const snapshot = findSnapshot(stack, id);
  const data = await loadSnapshot(ports, stack, id);
  if (data === null || stateOf(stack, snapshot, data).status !== "COMPLETE") {
    throw notSupported("Restoring incomplete snapshot");
  }
  refuseUpdate(stack);
  const current = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const restored = await restoredSource(ports, data, options);
  const source = { ...withAdopted(stack, current, restored), stack: namesOf(stack) };
  const { description } = await checkSource(ports, source, { depth: stack.owner?.depth });
  return acceptOrRefuse(ports, stack, async (now) => {
    refuseUpdate(now);
    const templateId = await saveTarget(ports, now, source);
    const tags = tagsOf(data) ?? now.tags;
    return acceptTraversal(ports, now, {
      action: "RESTORE",
      askedBy: identity.askedBy,
      templateId,
      description,
      tags,
    });
  });
};
