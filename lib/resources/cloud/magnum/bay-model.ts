import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { TEMPLATE_PROPERTIES } from "./template-properties.ts";
import { refuseVolumeDriver } from "./volume-drivers.ts";

export const magnumBayModel: DeclaredType = {
  type: "OS::Magnum::BayModel",
  schema: {
    description:
      "A Magnum cluster template under its former name. Use OS::Magnum::ClusterTemplate instead.",
    support: {
      status: "HIDDEN",
      since: "11.0.0",
      message: "Please use OS::Magnum::ClusterTemplate instead.",
      previous: {
        status: "DEPRECATED",
        since: "9.0.0",
        message: "Please use OS::Magnum::ClusterTemplate instead.",
        previous: { since: "5.0.0" },
      },
    },
    properties: TEMPLATE_PROPERTIES,
    attributes: {},
    validate: refuseVolumeDriver,
  },
};
