import type { ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";

/**
 * OS::Heat::None takes any properties and does nothing. An environment maps a type to it to switch
 * the type's resources off.
 */
export const none: ResourceType = {
  type: "OS::Heat::None",
  schema: {
    description: "Does nothing. Map a type to it to leave out the resources of that type.",
    support: { since: "5.0.0" },
    templateName: "NoneResource",
    properties: "any",
    attributes: "any",
    ignoresDefinition: true,
    attribute: () => null,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: async (call, { ids }) => ({
      state: "finished",
      physicalResourceId: ids.derive(call.token),
    }),
    handleUpdate: async () => ({ state: "finished" }),
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
  },
};
