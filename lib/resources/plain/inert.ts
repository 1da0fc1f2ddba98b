import type { SupportStatus } from "#lib/model/property-schema.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { pythonText } from "#lib/template/python-text.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";

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

/**
 * Types that Heat has retired. As in Heat, old templates may still use them: their resources accept
 * any properties and do nothing.
 */

const RETIRED: readonly { readonly types: readonly string[]; readonly support: SupportStatus }[] = [
  {
    types: ["OS::Aodh::CombinationAlarm"],
    support: {
      status: "HIDDEN",
      since: "9.0.0",
      message:
        "OS::Aodh::CombinationAlarm is deprecated and has been removed from Aodh, use OS::Aodh::CompositeAlarm instead.",
      previous: { status: "DEPRECATED", since: "7.0.0", previous: { since: "2014.1" } },
    },
  },
  {
    types: ["OS::Designate::Domain"],
    support: {
      status: "HIDDEN",
      since: "10.0.0",
      message: "This resource has been removed, use OS::Designate::Zone instead.",
      previous: { status: "DEPRECATED", since: "8.0.0", previous: { since: "5.0.0" } },
    },
  },
  {
    types: ["OS::Designate::Record"],
    support: {
      status: "HIDDEN",
      since: "10.0.0",
      message: "This resource has been removed, use OS::Designate::RecordSet instead.",
      previous: { status: "DEPRECATED", since: "8.0.0", previous: { since: "5.0.0" } },
    },
  },
  {
    types: ["OS::Glance::Image"],
    support: {
      status: "HIDDEN",
      since: "22.0.0",
      previous: {
        status: "DEPRECATED",
        since: "8.0.0",
        message:
          "Creating a Glance Image based on an existing URL location requires the Glance v1 API, which is deprecated.",
        previous: { since: "2014.2" },
      },
    },
  },
  {
    types: ["OS::Heat::HARestarter"],
    support: {
      status: "HIDDEN",
      since: "10.0.0",
      message:
        "The HARestarter resource type has been removed. Existing stacks containing HARestarter resources can still be used, but the HARestarter resource will be a placeholder that does nothing.",
      previous: {
        status: "DEPRECATED",
        since: "2015.1",
      },
    },
  },
  {
    types: ["OS::Magnum::Bay"],
    support: {
      status: "HIDDEN",
      since: "11.0.0",
      message: "Please use OS::Magnum::Cluster instead.",
      previous: {
        status: "DEPRECATED",
        since: "9.0.0",
        message: "Please use OS::Magnum::Cluster instead.",
        previous: { since: "6.0.0" },
      },
    },
  },
  {
    types: ["OS::Monasca::AlarmDefinition"],
    support: {
      status: "HIDDEN",
      since: "25.0.0",
      message: "Monasca project was retired",
      previous: {
        status: "DEPRECATED",
        since: "22.0.0",
        message: "Monasca project was marked inactive",
        previous: { since: "7.0.0", previous: { status: "UNSUPPORTED", since: "5.0.0" } },
      },
    },
  },
  {
    types: ["OS::Monasca::Notification"],
    support: {
      status: "HIDDEN",
      since: "25.0.0",
      message: "Monasca project was retired",
      previous: {
        status: "DEPRECATED",
        since: "22.0.0",
        message: "Monasca project was marked inactive",
        previous: { since: "7.0.0", previous: { since: "5.0.0" } },
      },
    },
  },
  {
    types: ["OS::Neutron::HealthMonitor", "OS::Neutron::Pool"],
    support: {
      status: "HIDDEN",
      since: "9.0.0",
      message: "Use LBaaS V2 instead.",
      previous: {
        status: "DEPRECATED",
        since: "7.0.0",
        message:
          "Neutron LBaaS v1 is deprecated in the Liberty release and is planned to be removed in a future release. Going forward, the LBaaS V2 should be used.",
      },
    },
  },
  {
    types: [
      "OS::Neutron::LBaaS::HealthMonitor",
      "OS::Neutron::LBaaS::Listener",
      "OS::Neutron::LBaaS::LoadBalancer",
      "OS::Neutron::LBaaS::Pool",
      "OS::Neutron::LBaaS::PoolMember",
    ],
    support: {
      status: "HIDDEN",
      since: "21.0.0",
      message: "Use octavia instead.",
      previous: { since: "6.0.0" },
    },
  },
  {
    types: ["OS::Neutron::LBaaS::L7Policy", "OS::Neutron::LBaaS::L7Rule"],
    support: {
      status: "HIDDEN",
      since: "21.0.0",
      message: "Use octavia instead.",
      previous: { since: "7.0.0" },
    },
  },
  {
    types: ["OS::Neutron::LoadBalancer", "OS::Neutron::PoolMember"],
    support: {
      status: "HIDDEN",
      since: "9.0.0",
      message: "Use LBaaS V2 instead.",
      previous: {
        status: "DEPRECATED",
        since: "7.0.0",
        message:
          "Neutron LBaaS v1 is deprecated in the Liberty release and is planned to be removed in a future release. Going forward, the LBaaS V2 should be used.",
        previous: { since: "2014.1" },
      },
    },
  },
  {
    types: [
      "OS::Sahara::Cluster",
      "OS::Sahara::DataSource",
      "OS::Sahara::ImageRegistry",
      "OS::Sahara::JobBinary",
    ],
    support: {
      status: "HIDDEN",
      since: "23.0.0",
      message: "Sahara project was retired",
      previous: {
        status: "DEPRECATED",
        since: "22.0.0",
        message: "Sahara project was marked inactive",
        previous: { since: "5.0.0" },
      },
    },
  },
  {
    types: ["OS::Sahara::ClusterTemplate"],
    support: {
      status: "HIDDEN",
      since: "23.0.0",
      previous: {
        status: "DEPRECATED",
        since: "22.0.0",
        message: "Sahara project was marked inactive",
        previous: { since: "2014.2" },
      },
    },
  },
  {
    types: ["OS::Sahara::Job"],
    support: {
      status: "HIDDEN",
      since: "23.0.0",
      message: "Sahara project was retired",
      previous: {
        status: "DEPRECATED",
        since: "22.0.0",
        message: "Sahara project was marked inactive",
        previous: { since: "8.0.0" },
      },
    },
  },
  {
    types: ["OS::Sahara::NodeGroupTemplate"],
    support: {
      status: "HIDDEN",
      since: "23.0.0",
      message: "Sahara project was retired",
      previous: {
        status: "DEPRECATED",
        since: "22.0.0",
        message: "Sahara project was marked inactive",
        previous: { since: "2014.2" },
      },
    },
  },
  {
    types: [
      "OS::Senlin::Cluster",
      "OS::Senlin::Node",
      "OS::Senlin::Policy",
      "OS::Senlin::Profile",
      "OS::Senlin::Receiver",
    ],
    support: {
      status: "HIDDEN",
      since: "23.0.0",
      message: "Senlin project was retired",
      previous: {
        status: "DEPRECATED",
        since: "22.0.0",
        message: "Senlin project was marked inactive",
        previous: { since: "6.0.0" },
      },
    },
  },
];

export const retiredTypes: readonly ResourceType[] = RETIRED.flatMap(({ types, support }) =>
  types.map((type) => ({
    ...none,
    type,
    schema: { ...none.schema, description: "Does nothing. Heat has retired the type.", support },
  })),
);
