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

/** Types that make nothing: OS::Heat::None, access policies, and types that Heat has retired. */
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

const withMessage = (message: string | null): Pick<SupportStatus, "message"> =>
  message === null ? {} : { message };

const hidden = (since: string, message: string | null, previous: SupportStatus): SupportStatus => ({
  status: "HIDDEN",
  since,
  ...withMessage(message),
  previous,
});

const deprecated = (
  since: string,
  message: string | null,
  previous?: SupportStatus,
): SupportStatus => ({
  status: "DEPRECATED",
  since,
  ...withMessage(message),
  ...(previous === undefined ? {} : { previous }),
});

const LBAAS_1 =
  "Neutron LBaaS v1 is deprecated in the Liberty release and is planned to be removed in a future release. Going forward, the LBaaS V2 should be used.";
const CLUSTER = "Please use OS::Magnum::Cluster instead.";

/** Heat marked all types of such a project in release 22, and hid them later. */
const ofProject = (
  name: string,
  since: string,
  first: SupportStatus,
  message: string | null = `${name} project was retired`,
): SupportStatus =>
  hidden(since, message, deprecated("22.0.0", `${name} project was marked inactive`, first));

const RETIRED: readonly (readonly [support: SupportStatus, ...types: readonly string[]])[] = [
  [
    hidden(
      "9.0.0",
      "OS::Aodh::CombinationAlarm is deprecated and has been removed from Aodh, use OS::Aodh::CompositeAlarm instead.",
      deprecated("7.0.0", null, { since: "2014.1" }),
    ),
    "OS::Aodh::CombinationAlarm",
  ],
  [
    hidden(
      "10.0.0",
      "This resource has been removed, use OS::Designate::Zone instead.",
      deprecated("8.0.0", null, { since: "5.0.0" }),
    ),
    "OS::Designate::Domain",
  ],
  [
    hidden(
      "10.0.0",
      "This resource has been removed, use OS::Designate::RecordSet instead.",
      deprecated("8.0.0", null, { since: "5.0.0" }),
    ),
    "OS::Designate::Record",
  ],
  [
    hidden(
      "22.0.0",
      null,
      deprecated(
        "8.0.0",
        "Creating a Glance Image based on an existing URL location requires the Glance v1 API, which is deprecated.",
        { since: "2014.2" },
      ),
    ),
    "OS::Glance::Image",
  ],
  [
    hidden(
      "10.0.0",
      "The HARestarter resource type has been removed. Existing stacks containing HARestarter resources can still be used, but the HARestarter resource will be a placeholder that does nothing.",
      deprecated("2015.1", null),
    ),
    "OS::Heat::HARestarter",
  ],
  [hidden("11.0.0", CLUSTER, deprecated("9.0.0", CLUSTER, { since: "6.0.0" })), "OS::Magnum::Bay"],
  [
    ofProject("Monasca", "25.0.0", {
      since: "7.0.0",
      previous: { status: "UNSUPPORTED", since: "5.0.0" },
    }),
    "OS::Monasca::AlarmDefinition",
  ],
  [
    ofProject("Monasca", "25.0.0", { since: "7.0.0", previous: { since: "5.0.0" } }),
    "OS::Monasca::Notification",
  ],
  [
    hidden("9.0.0", "Use LBaaS V2 instead.", deprecated("7.0.0", LBAAS_1)),
    "OS::Neutron::HealthMonitor",
    "OS::Neutron::Pool",
  ],
  [
    hidden("21.0.0", "Use octavia instead.", { since: "6.0.0" }),
    "OS::Neutron::LBaaS::HealthMonitor",
    "OS::Neutron::LBaaS::Listener",
    "OS::Neutron::LBaaS::LoadBalancer",
    "OS::Neutron::LBaaS::Pool",
    "OS::Neutron::LBaaS::PoolMember",
  ],
  [
    hidden("21.0.0", "Use octavia instead.", { since: "7.0.0" }),
    "OS::Neutron::LBaaS::L7Policy",
    "OS::Neutron::LBaaS::L7Rule",
  ],
  [
    hidden("9.0.0", "Use LBaaS V2 instead.", deprecated("7.0.0", LBAAS_1, { since: "2014.1" })),
    "OS::Neutron::LoadBalancer",
    "OS::Neutron::PoolMember",
  ],
  [
    ofProject("Sahara", "23.0.0", { since: "5.0.0" }),
    "OS::Sahara::Cluster",
    "OS::Sahara::DataSource",
    "OS::Sahara::ImageRegistry",
    "OS::Sahara::JobBinary",
  ],
  [ofProject("Sahara", "23.0.0", { since: "2014.2" }, null), "OS::Sahara::ClusterTemplate"],
  [ofProject("Sahara", "23.0.0", { since: "8.0.0" }), "OS::Sahara::Job"],
  [ofProject("Sahara", "23.0.0", { since: "2014.2" }), "OS::Sahara::NodeGroupTemplate"],
  [
    ofProject("Senlin", "23.0.0", { since: "6.0.0" }),
    "OS::Senlin::Cluster",
    "OS::Senlin::Node",
    "OS::Senlin::Policy",
    "OS::Senlin::Profile",
    "OS::Senlin::Receiver",
  ],
];

/**
 * Types that Heat has retired. As in Heat, old templates may still use them: their resources accept
 * any properties and do nothing.
 */
export const retiredTypes: readonly ResourceType[] = RETIRED.flatMap(([support, ...types]) =>
  types.map((type) => ({
    ...none,
    type,
    schema: { ...none.schema, description: "Does nothing. Heat has retired the type.", support },
  })),
);
