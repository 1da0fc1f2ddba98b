/** The types whose members Heat checks with the template of their group. */
import type { ResourceTypes } from "#lib/ports/resource-type.ts";
import type { Heat } from "#test/differential/ask-heat.ts";

const GROUPS: readonly string[] = [
  "AWS::AutoScaling::AutoScalingGroup",
  "OS::Heat::AutoScalingGroup",
  "OS::Heat::InstanceGroup",
  "OS::Heat::ResourceChain",
  "OS::Heat::ResourceGroup",
];

/** Where Hearth has no provider of a group, neither of the two looks at its members. */
export const leaveOutMembers = async (heat: Heat, types: ResourceTypes): Promise<void> => {
  const declared: string[] = [];
  for (const name of GROUPS) {
    if ((await types.get(name))?.nesting === undefined) declared.push(name);
  }
  if (declared.length > 0) console.log(`without members: ${declared.join(", ")}`);
  await heat.ask({ operation: "leave_out", types: declared });
};
