import type { ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";

export const accessPolicy: ResourceType = {
  type: "OS::Heat::AccessPolicy",
  schema: {
    description: "A list of the resources whose details an AWS::IAM::User may read.",
    properties: {
      AllowedResources: {
        type: "list",
        description: "The names of the resources that DescribeStackResource shows to the user.",
        required: true,
      },
    },
    attributes: {},
    validate: ({ AllowedResources: names = [] }, _name, { isResource }) => {
      const missing = (isJsonArray(names) ? names : [])
        .map(pythonText)
        .find((name) => !isResource(name));
      return missing === undefined ? null : `AccessPolicy resource ${missing} not in stack`;
    },
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: async ({ token, resourceName }, { ids }) => ({
      state: "finished",
      physicalResourceId: ids.derive(token),
      refId: resourceName,
    }),
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
  },
};
