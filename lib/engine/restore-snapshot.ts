/** The verb restore: an update back to the target of a snapshot. */
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import { notSupported } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { checkSource } from "#lib/stack/check-source.ts";
import { loadSnapshot, sectionOf } from "#lib/stack/stack-document.ts";
import { loadTemplate, saveTemplate, type TemplateSource } from "#lib/stack/template-record.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import type { Template } from "#lib/template/template.ts";
import { acceptOrRefuse } from "./accept.ts";
import { findLivingStack, type StackIdentity } from "./find-stack.ts";
import { findSnapshot, stateOf } from "./snapshot-view.ts";
import { newSource } from "./target-source.ts";
import { refuseUpdate, withAdopted } from "./update-stack.ts";

/** The target of the snapshot. The types put their stored data into the properties. */
const restoredSource = (ports: Ports, data: JsonObject): TemplateSource => {
  const environment = sectionOf(data, "environment");
  const files = Object.entries(sectionOf(data, "files")).map(([name, text]) => [
    name,
    String(text),
  ]);
  const source = newSource(ports, {
    template: sectionOf(data, "template"),
    files: Object.fromEntries(files),
    environment,
    environmentFiles: [],
    parameters: {},
  });
  return { ...source, template: restoreProperties(ports, parseTemplate(source.template), data) };
};

const restoreProperties = (ports: Ports, template: Template, data: JsonObject): JsonObject => {
  const definitions = sectionOf(template.source, "resources");
  const restored = [...template.resources.values()].flatMap(({ name, type, properties }) => {
    const handleRestore = ports.resourceTypes.get(type)?.handleRestore;
    if (!handleRestore) return [];
    const resourceData = sectionOf(data, "resources", name, "resource_data");
    const definition = sectionOf(definitions, name);
    return [[name, { ...definition, properties: handleRestore(properties, resourceData) }]];
  });
  if (restored.length === 0) return template.source;
  return {
    ...template.source,
    resources: { ...definitions, ...Object.fromEntries(restored) },
  };
};

/** 404, 400 for an incomplete snapshot, and the refusals of an update. */
export const restoreSnapshot = async (
  ports: Ports,
  identity: StackIdentity,
  id: string,
): Promise<Stack> => {
  const stack = await findLivingStack(ports, identity);
  const snapshot = findSnapshot(stack, id);
  const data = await loadSnapshot(ports, stack, id);
  if (data === null || stateOf(stack, snapshot, data).status !== "COMPLETE") {
    throw notSupported("Restoring incomplete snapshot");
  }
  refuseUpdate(stack);
  const current = await loadTemplate(ports, stack.tenant, stack.id, stack.templateId);
  const source = withAdopted(stack, current, restoredSource(ports, data));
  const { description } = checkSource(ports.resourceTypes, source, stack.owner?.depth);
  const templateId = ports.ids.fresh();
  await saveTemplate(ports, stack.tenant, stack.id, templateId, source);
  return acceptOrRefuse(ports, stack, (now) => {
    refuseUpdate(now);
    return acceptTraversal(ports, now, { action: "RESTORE", templateId, description });
  });
};
