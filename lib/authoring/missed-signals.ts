/** Finds wait conditions that only an ignored `user_data` would have signalled. */
import type { Json } from "#lib/json.ts";
import { resourcesIn } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";

const HANDLES: readonly string[] = [
  "OS::Heat::WaitConditionHandle",
  "AWS::CloudFormation::WaitConditionHandle",
  "OS::Heat::SwiftSignalHandle",
];

const CONDITIONS: readonly string[] = [
  "OS::Heat::WaitCondition",
  "AWS::CloudFormation::WaitCondition",
  "OS::Heat::SwiftSignal",
];

const namesIn = ({ version }: Template, value: Json): readonly string[] =>
  resourcesIn(functionsOf(version), value);

const USER_DATA = ["user_data", "UserData"] as const;

/** Includes indirect references, because a script may be in a config resource. */
const sourcesOf = (template: Template, value: Json): ReadonlySet<string> => {
  const found = new Set(namesIn(template, value));
  for (const name of found) {
    const properties = template.resources.get(name)?.properties ?? {};
    for (const next of namesIn(template, properties)) found.add(next);
  }
  return found;
};

export const missedSignals = (
  template: Template,
  servers: readonly Pick<ResourceDefinition, "name" | "properties">[],
): readonly string[] => {
  const resources = [...template.resources.values()];
  const conditions = resources.filter(({ type }) => CONDITIONS.includes(type));
  return servers.flatMap(({ name, properties }) => {
    const key = USER_DATA.find((one) => (properties[one] ?? null) !== null);
    if (key === undefined) return [];
    const script = properties[key] ?? null;
    const sources = sourcesOf(template, script);
    const handles = resources
      .filter(({ name: handle, type }) => HANDLES.includes(type) && sources.has(handle))
      .map(({ name: handle }) => handle);
    return conditions
      .filter((one) => namesIn(template, one.properties).some((used) => handles.includes(used)))
      .map(
        (condition) =>
          `${name}: its ${key} does not run, so nothing signals ${condition.name}. Send the signal from the machine, or deploy the script with OS::Heat::SoftwareDeployment.`,
      );
  });
};
