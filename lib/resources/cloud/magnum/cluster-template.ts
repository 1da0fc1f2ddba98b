import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { TEMPLATE_PROPERTIES } from "./template-properties.ts";
import { refuseVolumeDriver } from "./volume-drivers.ts";

export const magnumClusterTemplate: DeclaredType = {
  type: "OS::Magnum::ClusterTemplate",
  schema: {
    description:
      "A set of choices, such as image, flavors and networks, from which Magnum builds similar clusters.",
    support: { since: "9.0.0" },
    properties: TEMPLATE_PROPERTIES,
    attributes: {},
    validate: refuseVolumeDriver,
  },
};
