import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";

const handleCreate: Handler = async (call, ports) => ({
  state: "finished",
  physicalResourceId: ports.ids.derive(call.token),
});

/** OS::Heat::None: takes any properties and does nothing, so that an environment can switch a resource off by mapping its type to this one. */
export const none: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::None",
  description: "Does nothing: what a type is mapped to in order to leave its resources out.",
  properties: "any",
  attributes: "any",
  handleCreate,
  handleUpdate: async () => ({ state: "finished" }),
  handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
  attribute: () => null,
};
