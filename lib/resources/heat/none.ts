import type { ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";

/** An environment maps a type to OS::Heat::None to leave out all resources of that type. */
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
